/**
 * The bounds of one sandbox. They are part of the rules: what is kept does not depend on the length of an advance, on a
 * restart or on the machine.
 */

/** The most events that a sandbox keeps; above this, the oldest is dropped. */
export const EVENTS_KEPT = 100_000

/** The most records that a sandbox holds, of all kinds, without events. The default memory is enough for them. */
export const RECORDS_MAX = 1_200_000

/** The most days of a trial if `vary` names that assumption. */
export const VARIED_TRIAL_DAYS_MAX = 90

/** The most due items that one advance or one look-ahead settles; it then stops after a whole instant. */
export const ITEMS_MAX = 1_000_000

/** The most faults of one sandbox: each call on /v1 is compared with all of them. */
export const FAULTS_MAX = 100

/** The most scripted outcomes that wait in one scope: each attempt stores those that are left. */
export const OUTCOMES_MAX = 1000
