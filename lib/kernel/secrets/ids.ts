/**
 * Ids are a prefix, a hyphen and 26 characters of Crockford's base32: 48 bits of time and 80 random bits, as in ULID.
 * Ids sort by their time of creation, so a keyset cursor needs only the id.
 */
import { z } from 'zod'
import { m } from '@/lib/kernel/messages'
import { singleton } from '@/lib/kernel/runtime/singleton'
import { readId } from '@/lib/kernel/typed/id'
import { base32, base32Number, randomBytes } from './random'

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
  channel: 'CHAN',
  invitation: 'INV',
  rule: 'RULE',
  message: 'MSG',
  ticket: 'TKT',
  // Internal names, which rarely leave the service.
  delivery: 'DLV',
  otp: 'OTP',
  ceremony: 'CER',
  handshake: 'HSK',
  device: 'DEV',
  device_request: 'DVR',
  recovery: 'RCV',
  approver: 'APR',
  site: 'SITE',
  link: 'LNK',
  incident: 'INC',
  sign_up_pass: 'SUP',
  sign_in_link: 'SIL',
} as const

export type IdKind = keyof typeof prefixes

/** The parts of the last id. Ids stay in order when the clock goes back. */
const lastId = () => singleton('ids.last', () => ({ time: 0, random: Buffer.alloc(10) }))

/** Returns 16 random characters. Within one millisecond it counts up, so the ids of a process always increase. */
function randomPart(last: ReturnType<typeof lastId>, time: number): string {
  if (time > last.time) {
    last.time = time
    last.random = randomBytes(10)
    // Room for counting up within the millisecond.
    last.random.writeUInt8(last.random.readUInt8(0) & 0x7f, 0)
  } else {
    for (let index = 9; index >= 0; index--) {
      const next = (last.random.readUInt8(index) + 1) & 0xff
      last.random.writeUInt8(next, index)
      if (next !== 0) break
    }
  }
  return base32(last.random)
}

/**
 * Returns a new id, for instance `PECK-01JD…`. Ids are not secrets: everybody who can see an object can see its id.
 */
export function newId(kind: IdKind, now: Date): string {
  const last = lastId()
  const time = Math.max(now.getTime(), last.time)
  return `${prefixes[kind]}-${base32Number(time, 10)}${randomPart(last, time)}`
}

/** Returns a text that sorts after all ids made before `time`, and before all later ids. Selects ranges of time by id. */
export function firstIdAt(kind: IdKind, time: Date): string {
  return `${prefixes[kind]}-${base32Number(time.getTime(), 10)}`
}

/** What the ids begin with, such as `DUCK`. */
export const idPrefixes: readonly string[] = Object.values(prefixes)

/** Returns the pattern of one kind of id: prefix, hyphen, 16 to 64 characters. */
export const idPattern = (kind: IdKind) => `${prefixes[kind]}-[0-9A-HJKMNP-TV-Z]{16,64}`

/** Returns the schema of one kind of id. Takes an id as people type it (contract A, Spellings). */
export function idSchema(kind: IdKind) {
  return z
    .string()
    .overwrite((text) => readId(prefixes[kind], text))
    .regex(new RegExp(`^${idPattern(kind)}$`), {
      error: () => m.field_id_format({ prefix: prefixes[kind] }),
    })
}

/** Returns the id of a duckling as strangers see it: `DUCK-…` and the last four characters. */
export function maskId(id: string): string {
  return `${id.slice(0, id.indexOf('-') + 1)}…${id.slice(-4)}`
}
