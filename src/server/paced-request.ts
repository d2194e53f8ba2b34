/**
 * Requests whose bodies come in very many pieces: each costs a call, however few bytes it has, and a socket hands over
 * all that it has before any other one is asked. Owns how many pieces are taken in one turn of the event loop.
 */
import { IncomingMessage } from 'node:http'

/** After how many pieces of its body a request waits for a further turn. */
const PIECES_A_TURN = 256

/** The class of the requests of one server. Those that wait go on one after another, one in each turn. */
export function pacedRequests(): typeof IncomingMessage {
  const waiting: (() => void)[] = []
  const goOn = () => {
    waiting.shift()?.()
    if (waiting.length > 0) setImmediate(goOn)
  }
  const hold = (resume: () => void) => {
    if (waiting.length === 0) setImmediate(goOn)
    waiting.push(resume)
  }
  return class extends IncomingMessage {
    #pieces = 0
    /** What came since it was held, in one piece; null while it is not held. */
    #late: Gathered | null = null
    /** Whether its reader asked for more while it was held. */
    #isAsked = false

    override push(piece: Buffer | null): boolean {
      if (piece === null) {
        this.#handOver()
        return super.push(null)
      }
      this.#pieces += 1
      if (this.#pieces === PIECES_A_TURN) this.#hold()
      if (this.#late === null) return super.push(piece)
      this.#late.add(piece)
      return false
    }

    override _read(size: number): void {
      if (this.#late === null) super._read(size)
      else this.#isAsked = true
    }

    /** Node drops what nobody reads, and would not push it. */
    _dump(): void {
      this.resume()
    }

    #hold(): void {
      this.#late = new Gathered()
      this.socket.pause()
      hold(() => {
        this.#pieces = 0
        this.#handOver()
        if (this.#isAsked) super._read(0)
        this.#isAsked = false
      })
    }

    #handOver(): void {
      const late = this.#late?.bytes
      this.#late = null
      if (late !== undefined && late.length > 0) super.push(late)
    }
  }
}

/** Many small pieces as one: kept apart, each would cost the collector more than it did the client. */
class Gathered {
  #room = Buffer.allocUnsafe(1024)
  #length = 0

  get bytes(): Buffer {
    return this.#room.subarray(0, this.#length)
  }

  add(piece: Buffer): void {
    const length = this.#length + piece.length
    if (length > this.#room.length) {
      const larger = Buffer.allocUnsafe(2 * length)
      this.bytes.copy(larger)
      this.#room = larger
    }
    piece.copy(this.#room, this.#length)
    this.#length = length
  }
}
