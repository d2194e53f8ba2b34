/** Faults: what goes wrong on purpose with calls on /v1. */

import { isSecretName } from '../../masking/looks.ts'
import { worldWrite } from '../../operations/operation.ts'
import { findOne, readPage } from '../../operations/page.ts'
import { v1Operations } from '../../operations/v1.ts'
import { endpoints, json, listParts, reply } from '../../surface/declarations.ts'
import { created, ok, route } from '../../surface/operation.ts'
import { invalidField, orThrow, printValue } from '../../surface/refusals.ts'
import { fieldsOf, metaOf } from '../../surface/schema-walk.ts'
import {
  damagesOwnAnswer,
  FaultCreate,
  faultFilter,
  presentFault,
  toNewFault,
  WireFault,
} from '../../wire/sandbox/fault.ts'
import { clearFaults, createFault, deleteFault } from '../../world/commands/faults.ts'
import { BODY_MAX, type Fault, HeaderName, isReservedHeader } from '../../world/fault.ts'
import { findRecord } from '../../world/results.ts'
import { withPendingCalls } from '../faults.ts'
import { executeInWorld, readInWorld } from '../world-calls.ts'

const { get, post, remove } = endpoints('Faults')

export const faultOperations = [
  route({
    ...get('/sandbox/faults', 'listFaults'),
    ...listParts('Fault', WireFault, faultFilter),
    summary: 'List the faults',
    description:
      'Lists the faults, with how often each hit a call and how many hits are left. A call counts as soon as it starts; the count is stored together with its changes.',
    answer: async ({ query: { unused, ...page }, c }) =>
      ok(
        await readInWorld(c, ({ faults }) => {
          const isWanted = ({ used }: Fault) => unused === undefined || (used === 0) === unused
          const wanted = [...faults]
            .map(([id, fault]) => [id, withPendingCalls(c.get('sandbox'), fault)] as const)
            .filter(([id, fault]) => id === page.after || isWanted(fault))
          return readPage(new Map(wanted), page, presentFault)
        }),
      ),
  }),
  route({
    ...post('/sandbox/faults', 'createFault'),
    summary: 'Make calls on /v1 fail',
    description:
      'Creates a fault. The oldest fault that matches a call and is not used up hits it; each counts every call that matches it. For example, `times` 2 makes two calls fail, and later calls succeed. For a sequence of different failures create several faults. The header `Sandbox-Fault` of an answer names the fault that changed it. Calls whose key or access token is not valid are never hit.',
    body: { ...json, schema: FaultCreate },
    replies: reply.created('The fault.', WireFault),
    refusals: ['not_found', 'fault_limit', 'sandbox_full'],
    answer: async ({ body, c }) => {
      checkMatch(body.match)
      checkEffect(body)
      const order = toNewFault(body)
      const made = await executeInWorld(c, (world) => createFault(world, order))
      return created(`/sandbox/faults/${made.faultId}`, presentFault(made))
    },
  }),
  worldWrite({
    ...remove('/sandbox/faults', 'clearFaults'),
    summary: 'Delete all faults',
    description: 'Deletes all faults, so that calls are answered without any.',
    replies: reply.deleted('All faults are deleted.'),
    perform: clearFaults,
    present: () => null,
  }),
  route({
    ...get('/sandbox/faults/{fault_id}', 'retrieveFault'),
    summary: 'Retrieve a fault',
    description: 'Returns the fault, with how often it hit a call and how many hits are left.',
    replies: reply.ok('The fault.', WireFault),
    answer: async ({ params, c }) => {
      const fault = await readInWorld(c, ({ faults }) => findOne(faults, params, (each) => each))
      return ok(presentFault(withPendingCalls(c.get('sandbox'), fault)))
    },
  }),
  worldWrite({
    ...remove('/sandbox/faults/{fault_id}', 'deleteFault'),
    summary: 'Delete a fault',
    description: 'Deletes the fault; its identifier is not used again.',
    replies: reply.deleted('The fault is deleted.'),
    perform: (world, { fault_id: id }) => deleteFault(world, id),
    present: () => null,
  }),
]

const operations = new Map(v1Operations.map((each) => [each.operationId as string, each]))

/** Refuses to match by what no call has, and by secrets, which no record holds. */
function checkMatch({ operation: operationId, header, field }: FaultCreate['match']): void {
  const chosen =
    operationId === undefined
      ? v1Operations
      : [orThrow(findRecord(operations, 'match.operation', operationId))]
  if (header !== undefined && isSecretName(header.name)) {
    throwInvalid('match.header.name', 'must not be a header that carries a secret', header.name)
  }
  if (field === undefined) return
  const fields = chosen.flatMap((each) => ('body' in each ? [...fieldsOf(each.body.schema)] : []))
  const schema = orThrow(findRecord(new Map(fields), 'match.field', field.name))
  if (metaOf(schema).secret === true || isSecretName(field.name)) {
    throwInvalid('match.field.name', 'must not be a field that carries a secret', field.name)
  }
}

/** Refuses parts of an effect that contradict each other. */
function checkEffect({ effect, when }: FaultCreate): void {
  const { status, body, headers, drop, cut, malformed, delay_ms, slow_ms } = effect
  const answerParts = { status, body, headers, slow_ms, cut, malformed }
  const beside = Object.entries(answerParts).find(([, value]) => Boolean(value))
  if (!drop && beside === undefined && delay_ms === 0) {
    const rule =
      'must be an object with at least one of status, delay_ms, slow_ms, drop, cut and malformed; got none of them'
    throw invalidField('effect', rule)
  }
  if (drop && beside !== undefined) {
    throwInvalid(`effect.${beside[0]}`, 'must be absent where effect.drop is true', beside[1])
  }
  for (const [name, value] of Object.entries({ body, headers })) {
    if (value === undefined || status !== undefined) continue
    throwInvalid(`effect.${name}`, 'must be absent where there is no effect.status', value)
  }
  if (JSON.stringify(body ?? '').length > BODY_MAX) {
    throwInvalid('effect.body', `must have at most ${BODY_MAX} characters`, body)
  }
  const names = Object.keys(headers ?? {})
  for (const [at, name] of names.entries()) checkHeader(name, names.slice(0, at))
  if (when === 'before' && damagesOwnAnswer(effect)) {
    const rule = 'must be after where the effect has slow_ms, cut or malformed and no status'
    throwInvalid('when', rule, when)
  }
}

function checkHeader(name: string, before: readonly string[]): void {
  const field = 'effect.headers'
  if (!HeaderName.safeParse(name).success) {
    throwInvalid(field, 'must be named as headers are, by 1 to 100 characters', name)
  }
  if (isReservedHeader(name)) {
    throwInvalid(field, 'must not have a header that the server writes itself', name)
  }
  if (before.some((each) => each.toLowerCase() === name.toLowerCase())) {
    throwInvalid(field, 'must have each header once, in upper or lower case', name)
  }
}

function throwInvalid(field: string, rule: string, got: unknown): never {
  throw invalidField(field, `${rule}; got ${printValue(got)}`)
}
