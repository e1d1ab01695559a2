/** The text of a checkpoint (C2SP tlog-checkpoint v1.0.0): which log, how many entries, and their root hash. */
import { base64, bytesOfBase64 } from '../bytes'
import { hashLength } from './merkle'

export interface Checkpoint {
  /** The log's name, which is also the name of its keys. It looks like an address without a scheme, and need not be the address of the service. */
  origin: string
  /** The number of entries. */
  size: number
  root: Uint8Array
}

/** Returns the text to sign. */
export function formatCheckpoint({ origin, size, root }: Checkpoint): string {
  return `${origin}\n${size}\n${base64(root)}\n`
}

/** Reads the text of a checkpoint, which may have extension lines. Returns null for anything else. */
export function parseCheckpoint(text: string): Checkpoint | null {
  const lines = text.split('\n')
  const [origin = '', digits = '', encoded = '', ...rest] = lines
  // Every line ends in a newline and none is empty.
  if (lines.length < 4 || rest.pop() !== '' || rest.includes('') || origin === '') return null
  const size = parseSize(digits)
  const root = bytesOfBase64(encoded)
  return size === null || root?.length !== hashLength ? null : { origin, size, root }
}

/** Reads a tree size or index in decimal digits without leading zeros. Returns null for anything else. */
export function parseSize(digits: string): number | null {
  if (!/^(0|[1-9]\d{0,15})$/.test(digits)) return null
  const size = Number(digits)
  return Number.isSafeInteger(size) ? size : null
}
