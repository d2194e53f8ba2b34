/** The fields that coupons and promotions share, and how their limits read. */
import type { FC } from 'hono/jsx'
import type { Sent } from '../sent.ts'
import { TextField } from './form.tsx'

interface Limited {
  readonly times_redeemed: number
  readonly max_redemptions: number | null
}

/** `3 of 10`, or the number alone where there is no limit. */
export function redeemedText({ times_redeemed: times, max_redemptions: max }: Limited): string {
  return max === null ? String(times) : `${times} of ${max}`
}

export const MaxField: FC<{ sent: Sent }> = ({ sent }) => (
  <TextField
    name="max_redemptions"
    label="Maximum redemptions"
    type="number"
    hint="How often it can be redeemed in total; no limit if empty"
    sent={sent}
  />
)

/** A field for an instant; a day is its midnight. */
export const InstantField: FC<{ name: string; label: string; empty: string; sent: Sent }> = ({
  name,
  label,
  empty,
  sent,
}) => (
  <TextField
    name={name}
    label={label}
    hint={`2027-03-01, which is midnight UTC, or 2027-03-01T12:00:00Z; ${empty} if empty`}
    sent={sent}
  />
)
