/**
 * A thread that asks two servers for their health over and over, each time on a connection of its own, and notes how
 * long the answers take: whoever attacks one of them is busy, and cannot measure that.
 */
import { get } from 'node:http'
import { parentPort, workerData } from 'node:worker_threads'

const PAUSE_MS = 20

/** How long each answer took, and what was no answer. */
const found = { attackedMs: [], quietMs: [], failures: [] }

function ask(url, times) {
  return new Promise((resolve) => {
    const startedAt = performance.now()
    const request = get(
      `${url}/health/live`,
      { agent: false, timeout: workerData.silenceMs },
      (answer) => {
        answer.resume().once('end', () => {
          times.push(performance.now() - startedAt)
          if (answer.statusCode !== 200) found.failures.push(String(answer.statusCode))
          resolve()
        })
      },
    )
    request.once('timeout', () => request.destroy(new Error('no answer')))
    request.once('error', (error) => {
      found.failures.push(error.message)
      resolve()
    })
  })
}

let isOver = false
parentPort.once('message', () => {
  isOver = true
})
while (!isOver) {
  await ask(workerData.url, found.attackedMs)
  Atomics.add(workerData.asked, 0, 1)
  await ask(workerData.quietUrl, found.quietMs)
  await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
}
parentPort.postMessage(found)
