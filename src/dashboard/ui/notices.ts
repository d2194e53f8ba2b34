/** What a page says after something was done. By names, so that a link cannot put words into a page. */
export const notices = {
  advanced: 'The clock has moved.',
  applied: 'The coupon is applied.',
  canceled: 'The subscription is canceled.',
  cancel_scheduled: 'The subscription ends with its period.',
  cancellation_removed: 'The scheduled cancellation is removed.',
  changed: 'Saved.',
  charge_card_declined: 'The charge failed: card_declined.',
  charge_expired_card: 'The charge failed: expired_card.',
  charge_insufficient_funds: 'The charge failed: insufficient_funds.',
  charge_no_payment_method: 'The charge failed: no_payment_method.',
  charge_processing_error: 'The charge failed: processing_error.',
  charged: 'The charge succeeded.',
  checked: 'Checked.',
  cleared: 'Cleared.',
  created: 'Created.',
  cut_short: 'The clock has moved, but not as far: one move settles a million due items at most.',
  deleted: 'Deleted.',
  delivered: 'Delivered once more.',
  forked: 'This is the fork: changes here leave the other sandbox alone.',
  full: 'The clock has moved, but not as far: the sandbox holds as many records as it may.',
  issued: 'Issued.',
  kept: 'The checkpoint is kept.',
  not_delivered: 'The receiver did not take it; see why below.',
  not_met: 'The clock has moved, but the subscription did not reach the status within that time.',
  paid: 'The payment was tried.',
  paused: 'The subscription is paused.',
  reset: 'The sandbox is back at its fixture.',
  restored: 'The sandbox is back at the checkpoint.',
  resumed: 'The subscription is active again.',
  revoked: 'Revoked.',
  scripted: 'The next payments are scripted.',
} as const

export type Notice = keyof typeof notices

export function noticeText(name: string | undefined): string | null {
  return name !== undefined && Object.hasOwn(notices, name) ? notices[name as Notice] : null
}
