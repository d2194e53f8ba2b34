/**
 * Operations on a world: each is declared together with what performs it and how its result is written on the wire, so
 * that HTTP, what-ifs and fixtures do the same. The operations stand beside this file, by subject.
 */
import type { Settings } from '../assumptions/register.ts'
import {
  type BodyDeclaration,
  type BodyOf,
  type Declaration,
  type Declared,
  type FieldSchema,
  operation,
  type Read,
} from '../surface/operation.ts'
import type { ReportedPace } from '../world/engine.ts'
import type { Cause } from '../world/event.ts'
import type { Refusal } from '../world/refusal.ts'
import type { Success } from '../world/results.ts'
import type { World } from '../world/world.ts'

/** What an operation reads: the fields of path, query and body together, as their schemas read them. */
type Fields = Readonly<Record<string, unknown>>

/** What was made or changed, or why nothing was. */
type Performed = Success<unknown> | Refusal

export interface WorldWrite<Id extends string = string> extends Declaration {
  readonly kind: 'write'
  readonly operationId: Id
  /** The field by which what was made is found below the path. */
  readonly locatedBy?: string
  readonly perform: (world: World, input: Fields, cause: Cause) => Performed | Promise<Performed>
  /** The result on the wire; null where it is answered without a body. */
  readonly present: (value: unknown, settings: Settings) => unknown
}

export interface WorldQuery extends Declaration {
  readonly kind: 'query'
  readonly read: (world: World, input: Fields) => unknown
}

/** An operation that looks ahead, on a fork of the world. */
export interface WorldLookAhead extends Declaration {
  readonly kind: 'look-ahead'
  readonly lookAhead: (fork: World, input: Fields, pace: ReportedPace) => Promise<unknown>
}

export type WorldOperation = WorldWrite | WorldQuery | WorldLookAhead

type ValueOf<Result> = Extract<Awaited<Result>, Success<unknown>>['value']
type BodySchema<Body> = Body extends { schema: infer Schema } ? Schema : undefined

/** Declares an operation that changes the world. */
export function worldWrite<
  const Id extends string,
  const Replies extends Declaration['replies'],
  Result extends Performed | Promise<Performed>,
  const Params extends FieldSchema = undefined,
  const Body extends BodyDeclaration | undefined = undefined,
>(
  declared: Declared<Params, undefined, Body, Replies> & {
    readonly operationId: Id
    readonly locatedBy?: string
    readonly perform: (
      world: World,
      input: Read<Params> & Read<BodySchema<Body>>,
      cause: Cause,
    ) => Result
    readonly present: (value: ValueOf<NoInfer<Result>>, settings: Settings) => BodyOf<Replies>
  },
): WorldWrite<Id> {
  // Input is read by the schemas of the same declaration, which is what makes the cast true.
  return { kind: 'write', ...operation(declared as unknown as Omit<WorldWrite<Id>, 'kind'>) }
}

/** Declares an operation that reads the world as it is. */
export function worldQuery<
  const Replies extends Declaration['replies'],
  const Params extends FieldSchema = undefined,
  const Query extends FieldSchema = undefined,
>(
  declared: Declared<Params, Query, undefined, Replies> & {
    readonly read: (
      world: World,
      input: Read<Params> & Read<Query>,
    ) => BodyOf<Replies> | Refusal | Promise<BodyOf<Replies> | Refusal>
  },
): WorldQuery {
  return { kind: 'query', ...operation(declared as unknown as Omit<WorldQuery, 'kind'>) }
}

/** Declares an operation that looks ahead. */
export function worldLookAhead<
  const Replies extends Declaration['replies'],
  const Params extends FieldSchema = undefined,
  const Query extends FieldSchema = undefined,
  const Body extends BodyDeclaration | undefined = undefined,
>(
  declared: Declared<Params, Query, Body, Replies> & {
    readonly lookAhead: (
      fork: World,
      input: Read<Params> & Read<Query> & Read<BodySchema<Body>>,
      pace: ReportedPace,
    ) => Promise<BodyOf<Replies> | Refusal>
  },
): WorldLookAhead {
  return { kind: 'look-ahead', ...operation(declared as unknown as Omit<WorldLookAhead, 'kind'>) }
}
