// A thread of its own, so that the work of the bench does not count: polls /health/live and tells its worst answer.
import { Agent, get } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'

const agent = new Agent({ keepAlive: true, maxSockets: 1 })
let worstMs = 0
parentPort.on('message', () => {
  parentPort.postMessage(worstMs)
  worstMs = 0
})

for (;;) {
  const startedAt = performance.now()
  await new Promise((resolve, reject) => {
    const request = get(`${workerData}/health/live`, { agent }, (answer) => {
      answer.resume().on('end', resolve)
    })
    request.on('error', reject)
  })
  worstMs = Math.max(worstMs, performance.now() - startedAt)
  await pause(2)
}
