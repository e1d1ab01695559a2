import { decodeProtectedHeader, exportJWK, generateKeyPair, SignJWT } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { aDuckling } from '@/lib/factories/ducklings'
import { numericDate, signToken } from '@/lib/infrastructure/keys/tokens'
import { readClock } from '@/lib/kernel/runtime/clock'
import {
  type Any,
  anAuditLog,
  type Exported,
  flip,
  headAnswer,
  rewritten,
  rewrittenAndSigned,
  signedHead,
} from '@/packages/proofs/test/audit-files'
import type { Fault } from './chain'
import { hashEvent } from './hash'
import { verifyAudit } from './verify'

let id = ''
let sound: Exported
let page: Any
/** Returns a copy that a test can change. */
const copy = () => structuredClone(sound)
const faultsOf = async (file: unknown): Promise<Fault[]> => (await verifyAudit(file)).faults
const kinds = (faults: Fault[]) => faults.map(({ kind, seq }) => `${kind} ${seq}`)

beforeAll(async () => {
  ;({ id, sound, page } = await anAuditLog())
})

describe('an unchanged log', () => {
  it('has no fault, oldest first or newest first', async () => {
    const newestFirst = copy()
    newestFirst.audit.events.reverse()
    for (const file of [sound, newestFirst]) {
      const report = await verifyAudit(file)
      expect(report.faults).toEqual([])
      expect(report).toMatchObject({ events: sound.audit.events.length, ducklingId: id })
      expect(report.head).toMatchObject({ sub: id, seq: sound.audit.events.length })
    }
  })

  it('has no fault in a part, whose owner is found', async () => {
    for (const items of [page.items, page.items.slice(0, 3), page.items.slice(2, 5), page.items.slice(-1)]) {
      const report = await verifyAudit({ items, next_cursor: null })
      expect(report).toMatchObject({ faults: [], ducklingId: id, head: null })
    }
  })

  it('has a fault when it is checked for another owner', async () => {
    const other = 'DUCK-01JD0000000000000000000000'
    const report = await verifyAudit({ items: page.items }, { ducklingId: other })
    expect(report.faults).toHaveLength(page.items.length)
    expect(new Set(report.faults.map(({ kind }) => kind))).toEqual(new Set(['foreign']))
  })

  it('is verified in an older export without duckling_id, with the owner from the head, from --duckling or from the hashes', async () => {
    const older = copy()
    for (const event of older.audit.events) delete event.duckling_id
    expect(await verifyAudit(older)).toMatchObject({ faults: [], ducklingId: id })
    const items = older.audit.events
    expect(await verifyAudit({ items })).toMatchObject({ faults: [], ducklingId: id })
    expect(await verifyAudit({ items }, { ducklingId: id })).toMatchObject({ faults: [], ducklingId: id })
    const other = await verifyAudit({ items }, { ducklingId: 'DUCK-01JD0000000000000000000000' })
    expect(other.faults).toHaveLength(items.length)
  })
})

// security: host-1
describe('a changed event', () => {
  const changes: [string, (event: Any) => void][] = [
    ['event_id', (event) => Object.assign(event, { event_id: flip(event.event_id) })],
    ['action', (event) => Object.assign(event, { action: flip(event.action) })],
    ['outcome', (event) => Object.assign(event, { outcome: flip(event.outcome) })],
    ['occurred_at', (event) => Object.assign(event, { occurred_at: flip(event.occurred_at) })],
    ['actor.type', (event) => Object.assign(event.actor, { type: flip(event.actor.type) })],
    ['actor.id', (event) => Object.assign(event.actor, { id: flip(event.actor.id) })],
    ['a target', (event) => Object.assign(event.targets[0], { id: flip(event.targets[0].id) })],
    ['a missing target', (event) => event.targets.pop()],
    ['context.ip', (event) => Object.assign(event.context, { ip: flip(event.context.ip) })],
    ['context.user_agent', (event) => Object.assign(event.context, { user_agent: 'Tested' })],
    ['context.request_id', (event) => Object.assign(event.context, { request_id: null })],
    ['metadata', (event) => Object.assign(event.metadata, { reason: flip(event.metadata.reason) })],
    ['an added member', (event) => Object.assign(event, { note: 'a' })],
    ['an added member further in', (event) => Object.assign(event.actor, { note: 'a' })],
    ['prev_hash', (event) => Object.assign(event, { prev_hash: flip(event.prev_hash) })],
  ]
  it.each(changes)('is found when one character of %s differs', async (_, change) => {
    const file = copy()
    const event = file.audit.events.at(-1)
    change(event)
    const [fault, ...others] = await faultsOf(file)
    expect(fault).toMatchObject({ kind: 'changed', seq: event.seq, eventId: event.event_id })
    expect(others).toEqual([])
  })

  it('is found when one character of duckling_id differs, as an event of another log', async () => {
    const file = copy()
    const event = file.audit.events[2]
    event.duckling_id = flip(event.duckling_id)
    expect(kinds(await faultsOf(file))).toEqual(['foreign 3', 'changed 3'])
  })

  it('is found when one character of its hash differs', async () => {
    const file = copy()
    file.audit.events[2].hash = flip(file.audit.events[2].hash)
    expect(kinds(await faultsOf(file))).toEqual(['changed 3'])
  })

  it('is found when its hash was recomputed, because the next event has another prev_hash', async () => {
    const file = copy()
    const event = file.audit.events[2]
    event.action = flip(event.action)
    event.hash = await hashEvent(event)
    expect(kinds(await faultsOf(file))).toEqual(['unlinked 4'])
  })

  // security: database-1
  it('is found when all later hashes were recomputed, because the end differs from the signed head', async () => {
    const file = await rewritten(sound)
    expect(kinds(await faultsOf(file))).toEqual([`head ${file.audit.events.length}`])
  })

  it('is found at the start of the chain too', async () => {
    const file = copy()
    const [first] = file.audit.events
    first.prev_hash = flip(first.prev_hash)
    first.hash = await hashEvent(first)
    expect(kinds(await faultsOf(file))).toEqual(['unlinked 1', 'unlinked 2'])
  })
})

describe('missing, repeated and reordered events', () => {
  // security: check-75
  it('are reported: missing in the middle', async () => {
    const file = copy()
    file.audit.events.splice(2, 2)
    const faults = await faultsOf(file)
    expect(kinds(faults)).toEqual(['missing 5'])
    expect(faults[0]?.message).toContain('events 3 to 4 are missing')
  })

  it('are reported: missing at the start of a whole log, but not of a part', async () => {
    const file = copy()
    file.audit.events.shift()
    expect(kinds(await faultsOf(file))).toEqual(['missing 2'])
    expect(await faultsOf({ items: file.audit.events })).toEqual([])
  })

  it('are reported: missing at the end', async () => {
    const file = copy()
    file.audit.events.pop()
    expect(kinds(await faultsOf(file))).toEqual([`head ${file.audit.events.length}`])
    file.audit.events = []
    expect((await faultsOf(file)).map(({ kind }) => kind)).toEqual(['head'])
  })

  it('are found when seq was renumbered', async () => {
    const file = copy()
    file.audit.events.splice(2, 1)
    for (const [index, event] of file.audit.events.entries()) event.seq = index + 1
    expect(kinds(await faultsOf(file))).toContain('changed 3')
  })

  it('are reported: an event at another place', async () => {
    const file = copy()
    const { events } = file.audit
    ;[events[2], events[3]] = [events[3], events[2]]
    expect(kinds(await faultsOf(file))).toEqual(['reordered 3'])
  })

  // security: database-1
  it('are reported: two events that swapped places and numbers', async () => {
    const file = copy()
    const { events } = file.audit
    ;[events[2], events[3]] = [
      { ...events[3], seq: 3 },
      { ...events[2], seq: 4 },
    ]
    expect(kinds(await faultsOf(file))).toEqual(['changed 3', 'changed 4'])
  })

  it('are reported: an event that occurs twice', async () => {
    const file = copy()
    file.audit.events.splice(3, 0, structuredClone(file.audit.events[2]))
    expect(kinds(await faultsOf(file))).toEqual(['repeated 3'])
  })

  it('are reported: an entry that is not an event', async () => {
    const file = copy()
    file.audit.events[1] = { seq: 'two' }
    expect((await faultsOf(file)).map(({ kind }) => kind)).toEqual(['malformed', 'missing'])
  })
})

describe('the signed head', () => {
  it('is invalid when one character of any part differs', async () => {
    for (const part of [0, 1, 2]) {
      const file = copy()
      const parts = file.audit.head.split('.')
      parts[part] = flip(parts[part] ?? '')
      file.audit.head = parts.join('.')
      expect((await faultsOf(file)).map(({ kind }) => kind)).toEqual(['head'])
    }
  })

  it('is invalid when another key signed it, unless that key is trusted', async () => {
    const { privateKey, publicKey } = await generateKeyPair('Ed25519')
    const last = sound.audit.events.at(-1)
    const head = await new SignJWT({ seq: last.seq, hash: last.hash })
      .setProtectedHeader({ alg: 'EdDSA', typ: 'audit-head+jwt', kid: sound.audit.jwks.keys[0].kid })
      .setIssuer('http://localhost:3000')
      .setSubject(id)
      .setIssuedAt()
      .sign(privateKey)
    expect((await faultsOf({ audit: { ...sound.audit, head } })).map(({ kind }) => kind)).toEqual(['head'])
    const { kid } = sound.audit.jwks.keys[0]
    const jwks = {
      keys: [{ ...(await exportJWK(publicKey)), kid, alg: 'EdDSA' }],
    } as Exported['audit']['jwks']
    const withTheirKeys = { audit: { ...sound.audit, head, jwks } }
    expect(await faultsOf(withTheirKeys)).toEqual([])
    const report = await verifyAudit(withTheirKeys, { jwks: sound.audit.jwks })
    expect(report.faults.map(({ kind }) => kind)).toEqual(['head'])
  })

  it('is rejected when it is of another log, of an earlier time, or another kind of token', async () => {
    const other = await aDuckling()
    const { body } = await call('GET /beak/audit/head', { token: other.token })
    const foreign = await verifyAudit({ audit: { ...sound.audit, head: body.head } }, { ducklingId: id })
    expect(foreign.faults.map(({ kind }) => kind)).toEqual(['head'])
    const longer = copy()
    const last = longer.audit.events.at(-1)
    const added = { ...last, seq: last.seq + 1, prev_hash: last.hash }
    longer.audit.events.push({ ...added, hash: await hashEvent(added) })
    expect(kinds(await faultsOf(longer))).toEqual([`head ${last.seq + 1}`])
    const claims = { sub: id, seq: last.seq, hash: last.hash, iat: numericDate(readClock()) }
    for (const head of [other.token, signToken('agent', claims)])
      expect((await faultsOf({ audit: { ...sound.audit, head } })).map(({ kind }) => kind)).toEqual(['head'])
    const head = signToken('auditHead', claims)
    expect(await faultsOf({ audit: { ...sound.audit, head } })).toEqual([])
  })

  it('cannot be verified without keys, which is a fault', async () => {
    const { jwks: _, ...audit } = copy().audit
    expect((await faultsOf({ audit })).map(({ kind }) => kind)).toEqual(['head'])
    expect((await verifyAudit({ audit }, { jwks: sound.audit.jwks })).faults).toEqual([])
  })
})

describe('a file that is not an audit log', () => {
  it.each([null, 1, [], {}, { audit: {} }, { items: 'x' }, { items: [] }])(
    'is rejected: %j',
    async (file) => {
      expect((await faultsOf(file)).map(({ kind }) => kind)).toEqual(['malformed'])
    },
  )
})

describe('a head saved earlier', () => {
  const messagesOf = async (file: unknown, ...texts: string[]) => {
    const heads = texts.map((text) => ({ name: 'kept.json', text }))
    return (await verifyAudit(file, { heads, jwks: sound.audit.jwks })).faults.map(({ message }) => message)
  }
  const third = () => sound.audit.events[2]

  it('matches a whole log or a page that has grown, as a response and as a token', async () => {
    const kept = [headAnswer(third()), `${signedHead(third())}\n`, headAnswer(sound.audit.events.at(-1))]
    expect(await messagesOf(sound, ...kept)).toEqual([])
    expect(await messagesOf({ items: page.items }, ...kept)).toEqual([])
  })

  it('reveals a log that was rewritten and signed again', async () => {
    const file = await rewrittenAndSigned(sound)
    expect(await faultsOf(file)).toEqual([])
    expect(await messagesOf(file, headAnswer(third()))).toEqual([
      `kept.json says that event 3 has the hash ${third().hash}, but here it has ${file.audit.events[2].hash}: the log was rewritten`,
    ])
    expect(await messagesOf(file, headAnswer(sound.audit.events[1]))).toEqual([])
  })

  it('reveals a log that was cut and signed again', async () => {
    const file = copy()
    file.audit.events.splice(3)
    file.audit.head = signedHead(file.audit.events.at(-1))
    expect(await faultsOf(file)).toEqual([])
    expect(await messagesOf(file, headAnswer(sound.audit.events[3]))).toEqual([
      'kept.json is about event 4, but the log ends at event 3: the latest events were removed, or the file is older than kept.json.',
    ])
  })

  it('cannot be compared with a page that lacks the event', async () => {
    const [latest, ...older] = page.items
    const message = (seq: number) => [
      `kept.json is about event ${seq}, which this page does not contain. Check an export: an export has all events.`,
    ]
    expect(await messagesOf({ items: page.items.slice(0, 2) }, headAnswer(third()))).toEqual(message(3))
    expect(await messagesOf({ items: older }, headAnswer(latest))).toEqual(message(latest.seq))
  })

  it('is rejected when it is of another log, forged, inconsistent or not a head', async () => {
    const other = 'DUCK-01JD0000000000000000000000'
    const cases: [string, string][] = [
      [signedHead(third(), other), `kept.json is the head of another log, of ${other}.`],
      [flip(signedHead(third()), 60), 'kept.json: The head was not signed by the service'],
      [
        headAnswer(third())
          .replace(/"hash":"."/, '"hash":"x"')
          .replace('"seq":3', '"seq":2'),
        'kept.json: the content of the file and its signed content differ.',
      ],
      ['{"head":1}', 'kept.json is neither a response of GET /beak/audit/head nor a signed head.'],
      ['hello', 'kept.json is neither a response'],
    ]
    for (const [text, message] of cases) expect((await messagesOf(sound, text))[0], text).toContain(message)
  })

  // security: key-4
  it('is rejected when its key was removed or is distrusted', async () => {
    const { kid } = decodeProtectedHeader(signedHead(third()))
    const heads = [{ name: 'kept.json', text: headAnswer(third()) }]
    const messageWith = async (jwks: Any) =>
      (await verifyAudit({ items: page.items }, { heads, jwks })).faults.map(({ message }) => message)
    expect(await messageWith({ keys: [] })).toEqual([
      `kept.json: The head was not signed by the service: the service has no key ${kid}. Either somebody else signed the head, or the service has removed the key.`,
    ])
    const [message] = await messageWith({ keys: [], distrusted: [{ kid, from: '2026-11-01T00:00:00.000Z' }] })
    expect(message).toContain(
      'kept.json: The key that signed the head was stolen. Since 2026-11-01T00:00:00.000Z somebody else may have signed with it',
    )
  })
})
