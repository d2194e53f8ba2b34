/** Performs the changes of a what-if, each once for one question: here, or in a fork of this sandbox. */
import { calledOperations } from '../../generated/operations.ts'
import type { Sandbox, Schemas } from '../../library/sandbox.ts'
import { pathParameters } from '../../library/transport.ts'
import type { Act } from '../reading/preview.ts'
import { recordPath } from '../ui/links.tsx'
import { addressOf, type PageContext, withNotice } from '../ui/page-context.ts'
import { actOnce } from './once.ts'

export type WhatIfQuestion = Schemas['WhatIfQuestion']

/** Performs the changes and returns the address that shows the result. Throws the refusal of the question. */
export async function performHere(page: PageContext, question: WhatIfQuestion, flow: string) {
  const { sandbox, to } = page
  const { isAgain } = await actOnce(page, {
    ...{ flow, sent: question },
    act: async () => {
      // Refuses all changes if one is refused, and those that are not of now.
      await sandbox.whatIf({ changes: question.changes, for: 'PT0S' })
      for (const change of question.changes) await performChange(page, sandbox, change)
      return ''
    },
  })
  return withNotice(to(resultPath(question)), isAgain ? 'done_before' : 'made')
}

/** Forks the sandbox, performs the changes at their instants there, and returns the address of the fork. */
export async function performInFork(page: PageContext, question: WhatIfQuestion, flow: string) {
  const { sandbox, clock } = page
  const { made } = await actOnce(page, {
    ...{ flow, sent: ['fork', question] },
    act: async () => {
      await sandbox.whatIf(question)
      const changes = question.changes.map((each) => ({ ...each, at: each.at ?? clock.now }))
      changes.sort((one, other) => Date.parse(one.at) - Date.parse(other.at))
      const fork = await sandbox.fork()
      try {
        for (const change of changes) {
          if (Date.parse(change.at) > Date.parse(clock.now)) await fork.clock.to(change.at)
          await performChange(page, fork, change)
        }
      } catch (refusal) {
        await fork.close()
        throw refusal
      }
      return fork.id
    },
    isThere: async (id) =>
      (await sandbox.siblings()).some(({ sandbox_id: sibling }) => sibling === id),
  })
  return withNotice(addressOf(made, resultPath(question)), 'forked_with')
}

/** Calls the operation of a change. Throws its refusal. */
export async function performChange(page: PageContext, sandbox: Sandbox, change: Act) {
  const { operation, params = {}, body }: { params?: object; body?: object } & Act = change
  const path = pathParameters({ ...params } as Record<string, string>)
  await page.callsIn(sandbox)(calledOperations[operation], { ...path, query: undefined, body })
}

/** The page of the first subscription that is changed; of the others, the timeline. */
function resultPath({ changes }: WhatIfQuestion): string {
  for (const { params } of changes as { params?: { subscription_id?: string } }[]) {
    if (params?.subscription_id) return recordPath('subscriptions', params.subscription_id)
  }
  return ''
}
