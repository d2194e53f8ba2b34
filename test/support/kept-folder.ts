/** A sandbox's folder with everything in it, as one process left it, and what must be found in it. */

import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { storedPact } from '../../src/provider/pact-text.ts'
import { withPacts } from '../../src/provider/published-pacts.ts'
import type { Sandbox } from '../../src/sandbox/sandbox.ts'
import type { Store } from '../../src/store/store.ts'
import { inSandbox, openShop, type Shop } from './control.ts'
import { documentOf } from './document.ts'
import { temporaryFolder } from './folders.ts'
import { copySandboxes, instead, storeIn } from './store.ts'

/** How a process left the folder: it ended, it was killed, or it was killed while it folded its journals. */
export type Leaving = 'closed' | 'killed' | 'killed while it folds'

/** What a process answered, as JSON. */
export interface Known {
  /** The state after each change; the last one is what must be there. */
  readonly states: string[]
  readonly checkpoints: ReadonlyMap<string, string>
  readonly pacts: readonly object[]
}

const CHANGES = 8
/** More than the changes of `other` come to, and what some more of `default` do. */
const FOLD_AT_BYTES = 6000

/** Leaves a folder with the sandboxes `default` and `other` in `path`; answers what was answered of `default`. */
export async function leaveFolder(path: string, leaving: Leaving): Promise<Known> {
  const folder = await temporaryFolder()
  const foldAtBytes = leaving === 'killed while it folds' ? FOLD_AT_BYTES : Number.MAX_VALUE
  const store = await storeIn(folder.path, { foldAtBytes })
  const folds = { begun: 0 }
  const onFold = (id: string) => {
    if (id === 'default' && folds.begun === 0) copySandboxes(folder.path, path)
    folds.begun += id === 'default' ? 1 : 0
  }
  const shop = await openShop({ fixture: 'empty' }, 10, {
    store: neverFolding(store, folder.path, onFold),
  })
  await shop.call('PUT', '/sandboxes/other', { json: { fixture: 'empty' } })
  await live(inSandbox(shop, 'other'), 'other')
  const known = await live(shop, 'default')
  if (leaving === 'killed while it folds') {
    while (folds.begun === 0) {
      await shop.post('/sandbox/customers', {})
      known.states.push(await stateOf(shop.registry.default))
    }
  }
  if (leaving === 'closed') await shop.registry.close()
  if (leaving !== 'killed while it folds') copySandboxes(folder.path, path)
  if (leaving !== 'closed') await shop.registry.close()
  await folder.remove()
  return known
}

/** A store whose folds come to a new journal, and not to the state after that: its name is taken. */
function neverFolding(store: Store, folder: string, onFold: (id: string) => void): Store {
  return instead(store, {
    create: async (id) => {
      const stored = await store.create(id)
      return instead(stored, {
        replace: async (entries, emptied) => {
          const place = join(folder, 'sandboxes', id)
          if (!stored.isOutgrown()) return stored.replace(entries, emptied)
          // Files are numbered one after another, documents too.
          const numbers = readdirSync(place).map((name) => Number(/\d{6}/.exec(name) ?? 0))
          const taken = join(place, `state-${String(Math.max(...numbers) + 1).padStart(6, '0')}`)
          mkdirSync(`${taken}.ndjson`)
          await stored.replace(entries, emptied).finally(() => onFold(id))
        },
      })
    },
  })
}

function stateOf(sandbox: Sandbox): Promise<string> {
  return sandbox.read((world) => JSON.stringify(documentOf(world)))
}

/** Makes changes, checkpoints and pacts. */
async function live(shop: Shop, id: string): Promise<Known> {
  const sandbox = (await shop.registry.find(id)) as Sandbox
  const state = () => stateOf(sandbox)
  const states = [await state()]
  const checkpoints = new Map<string, string>()
  const pacts: object[] = []
  for (let change = 1; change <= CHANGES; change += 1) {
    await shop.post('/sandbox/customers', { customer_id: `${id}-${change}`, name: 'Jörg *' })
    states.push(await state())
    if (change !== 3 && change !== 6) continue
    await shop.post('/sandbox/checkpoints', { name: `at-${change}` })
    checkpoints.set(`at-${change}`, states.at(-1) ?? '')
    const { gzip, content } = storedPact({ consumer: { name: id }, provider: { name: 'p' } })
    const document = { gzip }
    const pact = { provider: 'p', consumer: id, version: `${change}`, content, gzip }
    await withPacts(sandbox, (pacts) => pacts.publish([pact]))
    pacts.push(document)
  }
  return { states, checkpoints, pacts }
}
