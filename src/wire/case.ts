/** Wire spelling: turns the camel case of code into the snake case of the wire and back, keys only. */

/** `currentPeriodEnd` becomes `current_period_end`. */
export type SnakeKey<Text extends string> = Text extends `${infer Head}${infer Tail}`
  ? `${Head extends Lowercase<Head> ? Head : `_${Lowercase<Head>}`}${SnakeKey<Tail>}`
  : Text

/** `current_period_end` becomes `currentPeriodEnd`. */
type CamelKey<Text extends string> = Text extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelKey<Tail>>}`
  : Text

/** A flat record with its keys in snake case. */
export type SnakeKeys<Fields extends object> = {
  [Key in keyof Fields & string as SnakeKey<Key>]: Fields[Key]
}

/** A flat record with its keys in camel case. */
export type CamelKeys<Fields extends object> = {
  [Key in keyof Fields & string as CamelKey<Key>]: Fields[Key]
}

/** A field that a patch leaves out is absent rather than undefined: JSON cannot write the latter. */
type Patch<Fields extends object> = {
  [Key in keyof CamelKeys<Fields>]: Exclude<CamelKeys<Fields>[Key], undefined>
}

/** Spells one key as the wire does. */
export function snakeKey(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** Spells one key as code does. */
export function camelKey(key: string): string {
  return key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

/** Spells the keys of a flat record as the wire does. */
export function snakeKeys<Fields extends object>(fields: Fields): SnakeKeys<Fields> {
  return respell(fields, snakeKey) as SnakeKeys<Fields>
}

/** Spells the keys of a flat record as code does. */
export function camelKeys<Fields extends object>(fields: Fields): CamelKeys<Fields> {
  return respell(fields, camelKey) as CamelKeys<Fields>
}

/** The changes that a patch names; what it leaves out stays as it is. */
export function patchOrder<Fields extends object>(patch: Fields): Patch<Fields> {
  return camelKeys(patch) as object as Patch<Fields>
}

function respell(fields: object, spell: (key: string) => string): object {
  return Object.fromEntries(Object.entries(fields).map(([key, value]) => [spell(key), value]))
}
