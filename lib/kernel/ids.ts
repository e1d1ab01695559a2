/**
 * Ids are a prefix, a hyphen and 26 characters of Crockford's base32 (contract A): 48 bits of time and 80 of randomness,
 * laid out as in ULID, so that the order of ids is the order of creation and a keyset cursor needs only the id.
 */
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { base32, base32Number } from './base32'

const prefixes = {
  duckling: 'DUCK',
  certificate: 'CERT',
  peck: 'PECK',
  agent: 'AGT',
  sso: 'SSO',
  event: 'EVT',
  key: 'KEY',
  passkey: 'PK',
  session: 'SES',
  webhook: 'WHK',
  message: 'MSG',
  ticket: 'TKT',
  // Spec silent: rows the contract names no prefix for.
  delivery: 'DLV',
  otp: 'OTP',
  ceremony: 'CER',
  handshake: 'HSK',
  device: 'DEV',
  recovery: 'RCV',
  link: 'LNK',
} as const

export type IdKind = keyof typeof prefixes

let lastTime = 0
let lastRandom = Buffer.alloc(10)

/** Sixteen random or, within one millisecond, counted-up characters: ids of one process never go backwards. */
function randomPart(time: number): string {
  if (time > lastTime) {
    lastTime = time
    lastRandom = randomBytes(10)
    // Headroom for counting up within the millisecond.
    lastRandom.writeUInt8(lastRandom.readUInt8(0) & 0x7f, 0)
  } else {
    for (let index = 9; index >= 0; index--) {
      const next = (lastRandom.readUInt8(index) + 1) & 0xff
      lastRandom.writeUInt8(next, index)
      if (next !== 0) break
    }
  }
  return base32(lastRandom)
}

/**
 * A new id, for instance `PECK-01JD…` (26 characters after the hyphen).
 * Ids are names, not secrets: whoever may see a thing may know its id.
 */
export function newId(kind: IdKind, now: Date): string {
  const time = Math.max(now.getTime(), lastTime)
  return `${prefixes[kind]}-${base32Number(time, 10)}${randomPart(time)}`
}

/** Returns the text that every id of that kind made before `time` sorts before: a range of time, by the index of the ids. */
export function firstIdAt(kind: IdKind, time: Date): string {
  return `${prefixes[kind]}-${base32Number(time.getTime(), 10)}`
}

/** The zod schema of one kind of id: prefix, hyphen, 16 to 64 characters. */
export function idSchema(kind: IdKind) {
  const prefix = prefixes[kind]
  return z
    .string()
    .regex(
      new RegExp(`^${prefix}-[0-9A-HJKMNP-TV-Z]{16,64}$`),
      `must look like ${prefix}-01JDAB… as the service gave it`,
    )
}

/** A duckling's id as strangers see it: `DUCK-…` and the last four characters (contract B, spaceducks). */
export function maskId(id: string): string {
  return `${id.slice(0, id.indexOf('-') + 1)}…${id.slice(-4)}`
}
