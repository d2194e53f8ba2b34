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
import { json } from '../../surface/declarations.ts'
import { fieldsRefused, printValue } from '../../surface/field-problems.ts'
import { created, ok, route } from '../../surface/operation.ts'
import { orThrow } from '../../surface/refusals.ts'
import { MarkIn, PartyName } from '../../wire/pact.ts'
import { find } from '../../world/answer.ts'
import {
  addressed,
  brokerOperation,
  publishedIn,
  resource,
  storedResource,
  workOnPacts,
} from './broker-calls.ts'
import {
  branchVersionAt,
  pacticipantAt,
  presentPacticipant,
  presentVersion,
  tagAt,
  versionAt,
  versionPath,
} from './broker-resources.ts'

const marking = {
  ...brokerOperation,
  method: 'put',
  description: 'A version that was not named before is stored with it.',
  body: { ...json, schema: MarkIn, required: false },
  replies: storedResource('The version.'),
} as const

export const brokerVersionRoutes = [
  route({
    ...brokerOperation,
    operationId: 'retrievePacticipant',
    method: 'get',
    path: pacticipantAt,
    summary: 'Retrieve a consumer or provider',
    description: 'Where a verifier puts a version of its provider on a branch, and tags it.',
    params: z.strictObject({ pacticipant: PartyName }),
    replies: resource('The consumer or provider.'),
    refusals: ['not_found'],
    answer: async ({ params: { pacticipant }, c }) => {
      const names = namesOf(await publishedIn(c))
      const name = orThrow<string>(find(names, { field: 'pacticipant', id: pacticipant }))
      return ok(addressed(c, presentPacticipant(name)))
    },
  }),
  route({
    ...brokerOperation,
    operationId: 'retrievePacticipantVersion',
    method: 'get',
    path: versionAt,
    summary: 'Retrieve a version of a consumer or provider',
    description: 'With its branches and tags.',
    params: z.strictObject({ pacticipant: PartyName, version: PartyName }),
    replies: resource('The version.'),
    refusals: ['not_found'],
    answer: async ({ params: { pacticipant, version: number }, c }) => {
      const { versions } = await publishedIn(c)
      const own = versions.filter((each) => each.pacticipant === pacticipant)
      const byNumber = new Map(own.map((each) => [each.number, each]))
      const version = orThrow<PacticipantVersion>(find(byNumber, { field: 'version', id: number }))
      return ok(addressed(c, presentVersion(version)))
    },
  }),
  route({
    ...marking,
    operationId: 'tagPacticipantVersion',
    path: tagAt,
    summary: 'Tag a version',
    params: z.strictObject({ pacticipant: PartyName, version: PartyName, tag: PartyName }),
    answer: ({ params: { pacticipant, version: number, tag }, body, c }) => {
      sameName(body, tag)
      return addMarks(c, { pacticipant, number }, { tags: [tag] })
    },
  }),
  route({
    ...marking,
    operationId: 'putPacticipantVersionOnBranch',
    path: branchVersionAt,
    summary: 'Put a version on a branch',
    params: z.strictObject({ pacticipant: PartyName, branch: PartyName, version: PartyName }),
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
  return created(versionPath(name), addressed(c, presentVersion(version)))
}
