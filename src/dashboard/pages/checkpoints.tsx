/** What a checkpoint leads to: going back to it, or deleting it, each after a question. */
import type { Hono } from 'hono'
import { withNotice } from '../page.tsx'
import { addQuestion, type Question } from '../question.tsx'
import type { Visit } from '../visit.ts'

export function checkpointPages(pages: Hono): void {
  const path = '/clock/checkpoints/:name'
  addQuestion(pages, `${path}/restore`, { ask: askToRestore, act: restore })
  addQuestion(pages, `${path}/delete`, { ask: askToDelete, act: remove })
}

async function restore({ sandbox, to, id }: Visit): Promise<string> {
  await sandbox.checkpoints.restore(id)
  return withNotice(to(), 'restored')
}

async function remove({ sandbox, to, id }: Visit): Promise<string> {
  await sandbox.checkpoints.delete(id)
  return withNotice(to('clock'), 'deleted')
}

function askToRestore({ id: name, to }: Visit): Question {
  return {
    title: `Restore ${name}`,
    text: (
      <p>
        Everything that happened in this sandbox since then is lost: subscriptions, invoices, events
        and the clock are as they were. To keep both, fork the checkpoint instead.
      </p>
    ),
    submit: 'Restore',
    cancel: to('clock'),
  }
}

function askToDelete({ id: name, to }: Visit): Question {
  return {
    title: `Delete the checkpoint ${name}`,
    text: <p>The sandbox stays as it is. That moment cannot be restored any more.</p>,
    submit: 'Delete',
    cancel: to('clock'),
  }
}
