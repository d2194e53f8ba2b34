/**
 * The bounds of one sandbox. They are part of the rules: what is kept does not depend on the size of a jump, on a
 * restart or on the machine.
 */

/** The most events that a sandbox keeps: with one more, the oldest is dropped. */
export const EVENTS_KEPT = 100_000

/** The most records that a sandbox holds, all kinds together, events aside. Memory for them is there by default. */
export const RECORDS_MAX = 1_200_000

/** The most days of a trial where `vary` names the assumption about them. */
export const VARIED_TRIAL_DAYS_MAX = 90

/** The most due items that one advance or one look ahead settles; it stops at a whole instant then. */
export const ITEMS_MAX = 1_000_000

/** The most faults of one sandbox: each call on /v1 looks at all of them. */
export const FAULTS_MAX = 100
