/** Animated PNG: pictures in one file, shown one after another. (Portable Network Graphics, third edition, section 11.3.6) */
import { crc32 } from 'node:zlib'

export interface Frame {
  /** A PNG; all have the colours of the first, and none goes beyond it. */
  readonly picture: Buffer
  /** Where it is put upon the frame before. */
  readonly left?: number
  readonly top?: number
  readonly shownMs: number
}

const SIGNATURE_BYTES = 8

/** One file of frames, which is shown again and again; a viewer that knows no animation shows the first. */
export function animatedPng(frames: readonly [Frame, ...Frame[]]): Buffer {
  const [{ picture: first }] = frames
  const [header, ...others] = chunksOf(first)
  const { width, height, colours } = sizeOf(first)
  const before = others.filter(({ type }) => type !== 'IDAT' && type !== 'IEND')
  const pieces = [first.subarray(0, SIGNATURE_BYTES), written('IHDR', header?.data)]
  pieces.push(written('acTL', uint32s(frames.length, 0)))
  for (const { type, data } of before) pieces.push(written(type, data))
  let sequence = 0
  for (const [index, { picture, left = 0, top = 0, shownMs }] of frames.entries()) {
    const size = sizeOf(picture)
    const isWithin = left + size.width <= width && top + size.height <= height
    if (!isWithin || size.colours !== colours) throw new Error(`Frame ${index} does not fit`)
    const place = uint32s(sequence, size.width, size.height, left, top)
    // The delay in thousandths of a second; the frame stays, and replaces what it covers.
    pieces.push(written('fcTL', place, Buffer.from([shownMs >> 8, shownMs & 255, 3, 232, 0, 0])))
    sequence += 1
    for (const { type, data } of chunksOf(picture)) {
      if (type !== 'IDAT') continue
      if (index === 0) pieces.push(written('IDAT', data))
      else pieces.push(written('fdAT', uint32s(sequence++), data))
    }
  }
  return Buffer.concat([...pieces, written('IEND')])
}

function chunksOf(picture: Buffer): { type: string; data: Buffer }[] {
  const chunks: { type: string; data: Buffer }[] = []
  for (let at = SIGNATURE_BYTES; at < picture.length; ) {
    const end = at + 8 + picture.readUInt32BE(at)
    chunks.push({
      type: picture.toString('latin1', at + 4, at + 8),
      data: picture.subarray(at + 8, end),
    })
    at = end + 4
  }
  return chunks
}

function sizeOf(picture: Buffer) {
  return {
    width: picture.readUInt32BE(16),
    height: picture.readUInt32BE(20),
    /** Bit depth, colour type and how it is compressed, filtered and interlaced. */
    colours: picture.toString('hex', 24, 29),
  }
}

function written(type: string, ...data: (Buffer | undefined)[]): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), ...data.flatMap((each) => each ?? [])])
  return Buffer.concat([uint32s(named.length - 4), named, uint32s(crc32(named))])
}

function uint32s(...values: number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length)
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, 4 * index)
  return bytes
}
