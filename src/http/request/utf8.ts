/** Whether bytes are UTF-8, in whatever pieces they come. */
import { isUtf8 } from 'node:buffer'

/**
 * The check of one text. A `TextDecoder` would make a string of each piece, only to drop it, and take many times as long.
 * Its identity is how far it has come.
 */
export class Utf8Check {
  /** The last character so far, which the next piece may complete. */
  #last: Uint8Array = new Uint8Array()

  /** Whether the next piece goes on as UTF-8. */
  goesOn(piece: Uint8Array): boolean {
    if (this.#last.length === 0 && isUtf8(piece)) return true
    const from = piece.findIndex(beginsCharacter)
    const head = from === -1 ? piece : piece.subarray(0, from)
    const character = Buffer.concat([this.#last, head])
    const last = from === -1 ? 0 : piece.findLastIndex(beginsCharacter)
    this.#last = from === -1 ? character : new Uint8Array(piece.subarray(last))
    const isWhole = from === -1 || (isUtf8(character) && isUtf8(piece.subarray(from, last)))
    return isWhole && canBecomeCharacter(this.#last)
  }

  /** Whether it ends with a whole character. */
  ends(): boolean {
    return isUtf8(this.#last)
  }
}

/** All bytes of a character but its first are `10xxxxxx`. */
function beginsCharacter(byte: number): boolean {
  return (byte & 0xc0) !== 0x80
}

/** What a character that is not whole can end with: whatever its beginning allows, one of these is among it. */
const ENDINGS = ['', '80', 'bf', '8080', 'bf80', '808080', 'bf8080'].map((hex) =>
  Buffer.from(hex, 'hex'),
)

function canBecomeCharacter(bytes: Uint8Array): boolean {
  return ENDINGS.some((ending) => isUtf8(Buffer.concat([bytes, ending])))
}
