/** What a page says after something was done. By names, so that a link cannot put words into a page. */
export const notices = {
  advanced: 'The clock has moved.',
  applied: 'The coupon is applied.',
  canceled: 'The subscription is canceled.',
  cancel_scheduled: 'The subscription ends with its period.',
  cancellation_removed: 'The scheduled cancellation is removed.',
  changed: 'Saved.',
  charge_failed: 'The charge failed; see the reason below.',
  charged: 'The charge succeeded.',
  cleared: 'Cleared.',
  created: 'Created.',
  created_before: 'This form was sent before. It created this subscription, and no second one.',
  cut_short: 'Not as far: the clock has moved, but one move settles a million due items at most.',
  deleted: 'Deleted.',
  delivered: 'Delivered once more.',
  forked: 'This is the fork: changes here leave the other sandbox alone.',
  done_before: 'This was done before, by the same form: it was not done a second time.',
  forked_with: 'This is a fork, with the change made. The other sandbox is as it was.',
  full: 'Not as far: the clock has moved, but the sandbox holds as many records as it may.',
  made: 'The change is made.',
  kept: 'The checkpoint is created.',
  moved_back: 'The sandbox is back at {now}.',
  no_checkpoint: 'There is no checkpoint at or before that instant.',
  not_delivered: 'The receiver did not take it; see why below.',
  not_met:
    'Not reached: the clock has moved, but the subscription did not reach the status within that time.',
  paid: 'The payment was tried.',
  paused: 'The subscription is paused.',
  played:
    'A year was played, by the calls that the requests list. Reset the sandbox to begin again.',
  removed: 'The scripted outcomes of that scope are removed.',
  reset: 'The sandbox is back at its fixture.',
  restored: 'The sandbox is back at the checkpoint.',
  resumed: 'The subscription is active again.',
  revoked: 'Revoked.',
  scripted: 'The next payments are scripted.',
  sent_again: 'Sent again: this is the new request, with its answer.',
  undone: 'The move is undone: the sandbox is back at {now}.',
} as const

export type Notice = keyof typeof notices

/** The text of a notice and its look; null for a name that is none. */
export function noticeOf(name: string | undefined) {
  if (name === undefined || !Object.hasOwn(notices, name)) return null
  const isShort = ['cut_short', 'full', 'no_checkpoint', 'not_met'].includes(name)
  return { text: notices[name as Notice], look: isShort ? 'notice warning' : 'notice' }
}
