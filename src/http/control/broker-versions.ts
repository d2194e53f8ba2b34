/**
 * Consumers and providers in the broker, and their versions: verifiers and command lines name them, put them on a branch
 * and tag them.
 */
import type { Context } from 'hono'
import * as z from 'zod'
import { namesOf } from '../../pacts/matrix.ts'
import {
  type Marks,
  type PacticipantVersion,
  unmarked,
  type VersionName,
} from '../../pacts/versions.ts'
import { json, location } from '../../surface/declarations.ts'
import { fieldsRefused, printValue } from '../../surface/field-problems.ts'
import { created, ok, route } from '../../surface/operation.ts'
import { orThrow } from '../../surface/refusals.ts'
import { type Hal, MarkIn, PartyName } from '../../wire/pact.ts'
import { find } from '../../world/answer.ts'
import { baseOf, brokerOperation, publishedIn, resource, workOnPacts } from './broker-calls.ts'
import { BROKER, pacticipantPath, presentPacticipant, versionPath } from './broker-resources.ts'

const pacticipantAt = `${BROKER}/pacticipants/{pacticipant}` as const
const mark = { ...json, schema: MarkIn, required: false } as const
const marked = { 201: { ...resource('The version.'), headers: { Location: location } } }

export const brokerVersionRoutes = [
  route({
    ...brokerOperation,
    operationId: 'retrievePacticipant',
    method: 'get',
    path: pacticipantAt,
    summary: 'Retrieve a consumer or provider',
    description: 'Where a verifier puts a version of its provider on a branch, and tags it.',
    params: z.strictObject({ pacticipant: PartyName }),
    replies: { 200: resource('The consumer or provider.') },
    refusals: ['not_found'],
    answer: async ({ params: { pacticipant }, c }) => {
      const names = namesOf(await publishedIn(c))
      const name = orThrow<string>(find(names, { field: 'pacticipant', id: pacticipant }))
      return ok(presentPacticipant(baseOf(c), name))
    },
  }),
  route({
    ...brokerOperation,
    operationId: 'retrievePacticipantVersion',
    method: 'get',
    path: `${pacticipantAt}/versions/{version}`,
    summary: 'Retrieve a version of a consumer or provider',
    description: 'With its branches and tags.',
    params: z.strictObject({ pacticipant: PartyName, version: PartyName }),
    replies: { 200: resource('The version.') },
    refusals: ['not_found'],
    answer: async ({ params: { pacticipant, version: number }, c }) => {
      const { versions } = await publishedIn(c)
      const own = versions.filter((each) => each.pacticipant === pacticipant)
      const byNumber = new Map(own.map((each) => [each.number, each]))
      const version = orThrow<PacticipantVersion>(find(byNumber, { field: 'version', id: number }))
      return ok(presentVersion(baseOf(c), version))
    },
  }),
  route({
    ...brokerOperation,
    operationId: 'tagPacticipantVersion',
    method: 'put',
    path: `${pacticipantAt}/versions/{version}/tags/{tag}`,
    summary: 'Tag a version',
    description: 'A version that was not named before is stored with it.',
    params: z.strictObject({ pacticipant: PartyName, version: PartyName, tag: PartyName }),
    body: mark,
    replies: marked,
    answer: ({ params: { pacticipant, version: number, tag }, body, c }) => {
      sameName(body, tag)
      return addMarks(c, { pacticipant, number }, { tags: [tag] })
    },
  }),
  route({
    ...brokerOperation,
    operationId: 'putPacticipantVersionOnBranch',
    method: 'put',
    path: `${pacticipantAt}/branches/{branch}/versions/{version}`,
    summary: 'Put a version on a branch',
    description: 'A version that was not named before is stored with it.',
    params: z.strictObject({ pacticipant: PartyName, branch: PartyName, version: PartyName }),
    body: mark,
    replies: marked,
    answer: ({ params: { pacticipant, version: number, branch }, body, c }) => {
      sameName(body, branch)
      return addMarks(c, { pacticipant, number }, { branches: [branch] })
    },
  }),
]

/** Throws 400 where a body names another mark than its path. */
function sameName({ name }: z.output<typeof MarkIn>, mark: string): void {
  if (name === undefined || name === mark) return
  const message = `name must be ${printValue(mark)}, as the path says, or absent; got ${printValue(name)}.`
  throw fieldsRefused([{ field: 'name', message }])
}

async function addMarks(c: Context, name: VersionName, marks: Partial<Marks>) {
  const version = await workOnPacts<PacticipantVersion>(c, (pacts, { clock }) =>
    pacts.mark({ ...name, ...unmarked, ...marks, at: clock.now() }),
  )
  return created(versionPath(name), presentVersion(baseOf(c), version))
}

function presentVersion(base: string, version: PacticipantVersion): Hal {
  const { pacticipant, number, branches, tags } = version
  const url = `${base}${versionPath(version)}`
  return {
    number,
    createdAt: version.at,
    _embedded: {
      branchVersions: branches.map((name) => ({ name })),
      tags: tags.map((name) => ({ name })),
    },
    _links: {
      self: { href: url, title: 'Version', name: number },
      'pb:pacticipant': { href: `${base}${pacticipantPath(pacticipant)}`, name: pacticipant },
      'pb:tag': { href: `${url}/tags/{tag}`, title: 'Tag this version', templated: true },
    },
  }
}
