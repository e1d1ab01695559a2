import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { aDuckling } from '@/lib/fixtures/ducklings'
import { type ALog, aLog, aProof, chainHeadEntry } from '@/lib/fixtures/logs'
import { aNoteSigner } from '@/lib/fixtures/note-signers'
import { numericDate, signToken } from '@/lib/infrastructure/keys/tokens'
import { readClock } from '@/lib/kernel/clock'
import type { Fault } from './chain'
import { hashEvent } from './hash'
import { verifyAudit } from './verify'

// biome-ignore lint/suspicious/noExplicitAny: the manipulated values have any shape
type Any = any

interface Exported {
  audit: { events: Any[]; head: string; jwks: { keys: Any[] } }
}

let id = ''
let sound: Exported
let page: Any
/** Returns a copy that a test can change. */
const copy = () => structuredClone(sound)
const faultsOf = async (file: unknown): Promise<Fault[]> => (await verifyAudit(file)).faults
const kinds = (faults: Fault[]) => faults.map(({ kind, seq }) => `${kind} ${seq}`)

/** Returns the text with one changed character. */
function flip(text: string, place = Math.floor(text.length / 2)): string {
  const changed = text.charAt(place) === 'a' ? 'b' : 'a'
  return text.slice(0, place) + changed + text.slice(place + 1)
}

beforeAll(async () => {
  const duckling = await aDuckling()
  const { token } = duckling
  id = duckling.id
  await call('POST /beak/cert/issue', { token, headers: { 'User-Agent': 'Tester' } })
  await call('POST /beak/cert/issue', { token, headers: { 'User-Agent': 'Tester' } })
  await call('POST /beak/cert/revoke', {
    token,
    body: { reason: 'gone' },
    headers: { 'User-Agent': 'Tester' },
  })
  page = (await call('GET /beak/audit', { token })).body
  const { body: head } = await call('GET /beak/audit/head', { token })
  const { body: jwks } = await call('GET /.well-known/jwks.json')
  sound = { audit: { events: page.items.toReversed(), head: head.head, jwks } }
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

  it('is found when all later hashes were recomputed, because the end differs from the signed head', async () => {
    const file = await rewritten()
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

/** A log whose event 3 was changed, with every later hash recomputed. */
async function rewritten(): Promise<Exported> {
  const file = copy()
  const { events } = file.audit
  events[2].action = flip(events[2].action)
  for (const [index, event] of events.entries()) {
    if (index > 2) event.prev_hash = events[index - 1].hash
    if (index >= 2) event.hash = await hashEvent(event)
  }
  return file
}

/** The same log, with a new head that the service signed. */
async function rewrittenAndSigned(): Promise<Exported> {
  const file = await rewritten()
  file.audit.head = signedHead(file.audit.events.at(-1))
  return file
}

const signedHead = ({ seq, hash }: Any, sub = id) =>
  signToken('auditHead', { sub, seq, hash, iat: numericDate(readClock()) })

/** The response of GET /beak/audit/head at the time when the log ended with that event. */
const headAnswer = ({ seq, hash }: Any) =>
  JSON.stringify({ duckling_id: id, seq, hash, signed_at: 'then', head: signedHead({ seq, hash }) })

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
    const file = await rewrittenAndSigned()
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

  it('is rejected when its key was removed or is distrusted', async () => {
    const { kid } = sound.audit.jwks.keys[0]
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

describe('npm run audit:verify', () => {
  const folder = mkdtempSync(join(tmpdir(), 'beak-audit-'))
  const write = (name: string, content: unknown): string => {
    const path = join(folder, name)
    mkdirSync(dirname(path), { recursive: true })
    const isRaw = typeof content === 'string' || content instanceof Uint8Array
    writeFileSync(path, isRaw ? content : JSON.stringify(content))
    return path
  }
  const run = (file: unknown, ...args: string[]) => runWith(write('export.json', file), ...args)
  const runWith = async (...args: string[]) => {
    const command = ['--import', 'tsx', 'scripts/audit-verify.ts', ...args]
    return promisify(execFile)(process.execPath, command).then(
      ({ stdout }) => ({ code: 0, output: stdout }),
      ({ code, stderr }) => ({ code: code as number, output: String(stderr) }),
    )
  }

  it('prints the number of events and the head, and exits with 0', async () => {
    const { code, output } = await run(sound)
    expect(code).toBe(0)
    const last = sound.audit.events.at(-1)
    expect(output).toContain(`${last.seq} events of ${id}`)
    expect(output).toContain(last.hash)
  })

  it('prints the fault and its event, and exits with 1', async () => {
    const file = copy()
    const event = file.audit.events[2]
    event.outcome = flip(event.outcome)
    const { code, output } = await run(file)
    expect(code).toBe(1)
    expect(output).toContain(`event 3 (${event.event_id})`)
    const jwks = join(folder, 'jwks.json')
    writeFileSync(jwks, JSON.stringify({ keys: [] }))
    const untrusted = await run(sound, '--jwks', jwks)
    expect(untrusted).toMatchObject({ code: 1, output: expect.stringContaining('not signed by the service') })
    expect(await run('{')).toMatchObject({ code: 1 })
  })

  describe('with a transparency log', () => {
    const origin = 'localhost:3000/.well-known/tlog'
    const signer = aNoteSigner(origin, 1)
    const others = Array.from({ length: 300 }, (_, index) =>
      chainHeadEntry('DUCK-2', index + 1, 'a'.repeat(64)),
    )
    /** The log at several sizes. Its entry 3 is the third event. */
    const logWith = ({ seq, hash }: Any, size: number) =>
      aLog([...others.slice(0, 3), chainHeadEntry(id, seq, hash), ...others.slice(3)].slice(0, size), signer)
    const publish = (name: string, { files }: ALog): string => {
      for (const [path, bytes] of files) write(join(name, path), bytes)
      return join(folder, name)
    }
    const third = () => sound.audit.events[2]
    const proofOf = async (event: Any, size: number) => {
      const about = { duckling_id: id, seq: event.seq, hash: event.hash }
      const proof = await aProof(await logWith(event, size), signer, 3, about)
      return { ...proof, heads: [{ index: 3, seq: event.seq, digest: proof.entry.digest }] }
    }

    it('accepts a log that has grown, and says which keys it used', async () => {
      const log = publish('honest', await logWith(third(), 300))
      const kept = [
        write('proof.json', await proofOf(third(), 4)),
        write('note.txt', (await logWith(third(), 9)).checkpoint),
      ]
      const exported = { audit: { ...sound.audit, log: await proofOf(third(), 280) } }
      const args = ['--log', log, ...kept.flatMap((path) => ['--checkpoint', path])]
      const { code, output } = await run(exported, ...args, '--head', write('head.json', headAnswer(third())))
      expect(output).toContain(`The transparency log ${origin} has 300 entries`)
      expect(output).toContain(`${kept[0]}: the log still begins with the 4 entries of this checkpoint.`)
      expect(output).toContain('The export: entry 3 of the log is event 3.')
      expect(output).toContain('head.json: the log still contains the event of this head.')
      expect(output).toContain('The keys of the log came from the files.')
      expect(code).toBe(0)
      const alone = await runWith(...args, '--vkey', signer.vkey)
      expect(alone).toMatchObject({
        code: 0,
        output: expect.stringContaining('You gave the keys of the log.'),
      })
    })

    it('finds a chain that was rewritten and signed again, with a saved head and with a saved proof', async () => {
      const kept = write('proof.json', await proofOf(third(), 4))
      const log = publish('still', await logWith(third(), 300))
      const rewritten = await rewrittenAndSigned()
      expect((await run(rewritten)).code).toBe(0)
      const byProof = await run(rewritten, '--checkpoint', kept, '--log', log)
      expect(byProof.code).toBe(1)
      expect(byProof.output).toContain(
        'event 3 had another hash when it was entered in the transparency log (entry 3)',
      )
      const byHead = await run(rewritten, '--head', write('head.json', headAnswer(third())))
      expect(byHead).toMatchObject({ code: 1, output: expect.stringContaining('the log was rewritten') })
    })

    it('finds a transparency log that was rewritten with the chain and signed again', async () => {
      const rewritten = await rewrittenAndSigned()
      const event = rewritten.audit.events[2]
      const log = publish('forged', await logWith(event, 300))
      const exported = { audit: { ...rewritten.audit, log: await proofOf(event, 300) } }
      expect((await run(exported, '--log', log)).code).toBe(0)
      const kept = write('proof.json', await proofOf(third(), 4))
      const { code, output } = await run(exported, '--log', log, '--checkpoint', kept)
      expect(code).toBe(1)
      expect(output).toContain('the first 4 entries have another root now. The log was rewritten')
      expect(output).toContain('the log has something else at entry 3 now, which stood for event 3')
    })

    it('verifies the proof of an export also without the log', async () => {
      const log = await proofOf(third(), 280)
      expect(await run({ audit: { ...sound.audit, log } })).toMatchObject({
        code: 0,
        output: expect.stringContaining('The export: entry 3 of the log is event 3.'),
      })
      const { code, output } = await run({ audit: { ...sound.audit, log: { ...log, inclusion: [] } } })
      expect(code).toBe(1)
      expect(output).toContain('the proof does not show that entry 3 is in the checkpoint of 280 entries')
    })

    it('rejects an export that hides its entries from the comparison', async () => {
      const log = publish('honest', await logWith(third(), 300))
      const { heads: _, ...proof } = await proofOf(third(), 280)
      const args = ['--log', log, '--vkey', signer.vkey]
      for (const hiding of [sound, { audit: { ...sound.audit, log: proof } }]) {
        const { code, output } = await run(hiding, ...args)
        expect(code).toBe(1)
        expect(output).toContain('The export does not list its entries of the log (audit.log.heads)')
      }
      expect(await run({ items: page.items }, ...args)).toMatchObject({ code: 0 })
    })

    it('rejects an export whose entry is missing, and says when there is no proof', async () => {
      const log = { ...(await proofOf(third(), 280)), entry: null, inclusion: null, heads: [] }
      const signedLater = { ...log, signed_at: new Date(Date.now() + 3_600_000).toISOString() }
      const { code, output } = await run({ audit: { ...sound.audit, log: signedLater } })
      expect(code).toBe(1)
      expect(output).toContain('Event 1 is older than The export, but none of its 280 entries covers')
      expect(await run(sound)).toMatchObject({
        code: 0,
        output: expect.stringContaining('The file has no proof from the transparency log'),
      })
    })

    it('requires the cosignatures of the named witnesses', async () => {
      const witness = aNoteSigner('w.example/witness', 3, 'cosignature')
      const log = publish('honest', await logWith(third(), 300))
      const { code, output } = await runWith('--log', log, '--witness', witness.vkey)
      expect(code).toBe(1)
      expect(output).toContain('0 of 1 required cosignatures; it has no valid one of w.example/witness')
      const wrong = await runWith('--log', log, '--witness', witness.vkey, '--quorum', '2')
      expect(wrong).toMatchObject({
        code: 1,
        output: expect.stringContaining('--quorum must be a number from 0 to 1'),
      })
    })

    it('reads a log over HTTP, obeys Retry-After, and follows no redirect', async () => {
      const { files, readFile } = await logWith(third(), 300)
      let isBusy = true
      const server = createServer(async ({ url = '' }, response) => {
        const path = url.slice('/tlog/'.length)
        const answer = (status: number, headers = {}) => response.writeHead(status, headers).end()
        if (path.startsWith('moved/'))
          return answer(302, { Location: `/tlog/${path.slice('moved/'.length)}` })
        if (path.startsWith('large/')) return response.end(Buffer.alloc(140_000))
        if (path === 'checkpoint' && isBusy) {
          isBusy = false
          return answer(429, { 'Retry-After': '0' })
        }
        const bytes = await readFile(path)
        return bytes ? response.end(bytes) : answer(404)
      })
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/tlog`
      expect(await runWith('--log', `${base}/`)).toMatchObject({ code: 0 })
      expect(isBusy).toBe(false)
      const outputOf = async (place: string) => (await runWith('--log', place, '--vkey', signer.vkey)).output
      expect(await outputOf(`${base}/moved`)).toContain('/tlog/moved/checkpoint answered 302')
      expect(await outputOf(`${base}/large`)).toContain(
        '/tlog/large/checkpoint answered with more than 131072 bytes',
      )
      files.delete('tile/0/000')
      expect(await outputOf(base)).toContain('The log has no tile/0/000, although')
      server.close()
      expect(await outputOf(base)).toMatch(/\/tlog\/checkpoint cannot be read: .*ECONNREFUSED/)
    })

    it.each([
      ['no file and no log', []],
      ['a head without a log to compare with', ['--head', 'x', '--log', 'y']],
    ])('prints its usage when it gets %s', async (_, args) => {
      expect(await runWith(...args)).toMatchObject({ code: 1, output: expect.stringContaining('Usage:') })
    })

    it('reports a wrong key and a wrong file', async () => {
      const log = publish('honest', await logWith(third(), 300))
      expect((await runWith('--log', log, '--vkey', 'a+b')).output).toContain(
        'is not the key of a log. Expected name+id+key',
      )
      const file = write('wrong.json', '{}')
      expect((await runWith('--log', log, '--checkpoint', file)).output).toContain(
        'wrong.json is neither a checkpoint',
      )
    })
  })
})
