/** Expiry: deletes sandboxes that no request used for a while, if the start requests it. `default` stays. */
import { DEFAULT_SANDBOX, type Registry } from './registry.ts'
import type { RealTime } from './running-clock.ts'

/** The most time that a sandbox exists after it expired. */
const LOOK_MS = 30_000

export interface ExpiryOptions {
  readonly time: RealTime
  /** How long an unused sandbox is kept. */
  readonly expireMs: number
  /** Receives a line for each sandbox that is deleted, or cannot be. */
  readonly log: (line: string) => void
}

/** Deletes unused sandboxes until it is stopped. For a stored sandbox without a request, the time starts now. */
export function expireUnused(registry: Registry, { time, expireMs, log }: ExpiryOptions) {
  const beganAt = time.now()
  const logged = new Set<string>()
  const logOnce = (line: string) => {
    if (!logged.has(line)) log(line)
    logged.add(line)
  }
  const remove = async (sandboxId: string) => {
    const refusal = await registry.remove(sandboxId)
    if (refusal === null) {
      log(`Sandbox "${sandboxId}" was deleted: no request used it for ${expireMs / 1000} s.`)
    } else if (registry.ids.includes(sandboxId)) {
      logOnce(`Sandbox "${sandboxId}" is not used, and cannot be deleted: ${refusal.message}`)
    }
  }
  const look = async () => {
    for (const sandboxId of registry.ids) {
      if (sandboxId === DEFAULT_SANDBOX) continue
      const usedAt = registry.usedAt(sandboxId) ?? beganAt
      if (time.now() - usedAt >= expireMs) await remove(sandboxId)
    }
  }
  let callOff: () => void = () => undefined
  let isStopped = false
  const wait = () => {
    if (isStopped) return
    callOff = time.wake(Math.min(expireMs, LOOK_MS), () => {
      look()
        .catch((defect: Error) => logOnce(`${defect.stack}`))
        .finally(wait)
    })
  }
  wait()
  return {
    stop: () => {
      isStopped = true
      callOff()
    },
  }
}
