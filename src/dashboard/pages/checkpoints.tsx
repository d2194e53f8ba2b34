/** What a checkpoint leads to: going back to it, or deleting it, each after a question. */
import type { Hono } from 'hono'
import { formPage, submit, withNotice } from '../page.tsx'
import type { Sent } from '../sent.ts'
import { Confirm } from '../ui/confirm.tsx'
import type { View } from '../view.ts'
import type { Visit } from '../visit.ts'

export function checkpointPages(pages: Hono): void {
  pages.get('/clock/checkpoints/:name/restore', formPage(restorePage))
  pages.post('/clock/checkpoints/:name/restore', submit({ act: restore, show: restorePage }))
  pages.get('/clock/checkpoints/:name/delete', formPage(forgetPage))
  pages.post('/clock/checkpoints/:name/delete', submit({ act: forget, show: forgetPage }))
}

async function restore({ sandbox, to, id }: Visit): Promise<string> {
  await sandbox.checkpoints.restore(id)
  return withNotice(to(), 'restored')
}

async function forget({ sandbox, to, id }: Visit): Promise<string> {
  await sandbox.checkpoints.delete(id)
  return withNotice(to('clock'), 'deleted')
}

function restorePage({ id: name, to }: Visit, sent: Sent): View {
  const body = (
    <Confirm
      question={`Go back to ${name}?`}
      action={to(`clock/checkpoints/${encodeURIComponent(name)}/restore`)}
      sent={sent}
      submit="Go back"
      cancel={to('clock')}
    >
      <p>
        Everything that happened in this sandbox since then goes: subscriptions, invoices, events
        and the clock are as they were. To keep both, fork the checkpoint instead.
      </p>
    </Confirm>
  )
  return { title: `Go back to ${name}`, body, live: 'nothing' }
}

function forgetPage({ id: name, to }: Visit, sent: Sent): View {
  const body = (
    <Confirm
      question={`Delete the checkpoint ${name}?`}
      action={to(`clock/checkpoints/${encodeURIComponent(name)}/delete`)}
      sent={sent}
      submit="Delete"
      cancel={to('clock')}
    >
      <p>The sandbox stays as it is, and nobody can go back to that moment any more.</p>
    </Confirm>
  )
  return { title: `Delete ${name}`, body, live: 'nothing' }
}
