import { describe, expect, it } from 'vitest'
import { aLog, chainHeadEntry } from '@/lib/fixtures/logs'
import { aNoteSigner } from '@/lib/fixtures/witnesses'
import type { OwnLog } from './check-entry'
import { chainHeadDigest, encodeEntry } from './entry'
import type { KeptProof, LoggedHead } from './kept-proof'
import { verifyLog } from './verify-log'

const signer = aNoteSigner('pond.example/.well-known/tlog', 1)
const ducklingId = 'DUCK-01JD0000000000000000000000'
const hashOf = (seq: number, byte = 0) => Buffer.alloc(32, seq + byte).toString('hex')
const minuteOf = (seq: number) => new Date(Date.UTC(2026, 0, 1, 0, seq)).toISOString()

/** Events 1 to 60, one a minute. Events after `kept` are rewritten when a byte is given. */
const eventsOf = (kept = 60, byte = 0): OwnLog['events'] =>
  Array.from({ length: 60 }, (_, at) => at + 1).map((seq) => ({
    seq,
    hash: hashOf(seq, seq > kept ? byte : 0),
    occurred_at: minuteOf(seq),
  }))

/** The heads of the account: every tenth event, each after four entries of other accounts. */
const seqs = [10, 20, 30, 40, 50, 60]
const headAt = (place: number, seq: number, byte = 0): LoggedHead => ({
  index: place * 5 + 4,
  seq,
  digest: chainHeadDigest({ ducklingId, seq, hash: hashOf(seq, byte) }),
})
const heads = seqs.map((seq, place) => headAt(place, seq))
const others = (place: number) =>
  [0, 1, 2, 3].map((n) => encodeEntry('chain_head', Buffer.alloc(32, place * 5 + n + 100).toString('hex')))
const entries = seqs.flatMap((seq, place) => [...others(place), chainHeadEntry(ducklingId, seq, hashOf(seq))])

const keptOf = async (size: number, signedAt: string | null = null): Promise<KeptProof> => ({
  name: 'kept.txt',
  checkpoint: (await aLog(entries.slice(0, size), signer)).checkpoint,
  vkeys: [],
  entries: [],
  signedAt: signedAt === null ? null : new Date(signedAt),
  heads: null,
  ownEntries: null,
})

async function check(own: Partial<OwnLog>, proofs: KeptProof[] = [], now = entries) {
  const report = await verifyLog({
    proofs,
    readFile: (await aLog(now, signer)).readFile,
    vkeys: [signer.vkey],
    own: { ducklingId, events: eventsOf(), heads, ...own },
  })
  return { ...report, messages: report.faults.map(({ kind, message }) => `${kind}: ${message}`) }
}

describe('the logged heads of an account', () => {
  it('match an unchanged audit log, and show how much of it a kept checkpoint covers', async () => {
    const report = await check({}, [await keptOf(12, minuteOf(30)), await keptOf(3)])
    expect(report.messages).toEqual([])
    expect(report.coverage).toEqual([
      { name: 'kept.txt', size: 12, seq: 20 },
      { name: 'kept.txt', size: 3, seq: null },
    ])
  })

  // security: key-4, rewrite-2
  it('show that the audit log was rewritten even when its new head was logged since', async () => {
    const rewritten = [...entries, ...others(9), chainHeadEntry(ducklingId, 60, hashOf(60, 100))]
    const again = {
      index: 34,
      seq: 60,
      digest: chainHeadDigest({ ducklingId, seq: 60, hash: hashOf(60, 100) }),
    }
    const own = { events: eventsOf(35, 100), heads: [...heads, again] }
    expect((await check(own, [], rewritten)).messages).toEqual([
      'rewritten: Event 40 had another hash when it was entered in the transparency log (entry 19): the audit log was rewritten after that.',
      'rewritten: Event 50 had another hash when it was entered in the transparency log (entry 24): the audit log was rewritten after that.',
      'rewritten: Event 60 had another hash when it was entered in the transparency log (entry 29): the audit log was rewritten after that.',
      'rewritten: Entry 34 of the log stands for event 60, although entry 29 stands for event 60: the audit log was rewritten between them.',
    ])
  })

  it('show a rewritten audit log without access to the log', async () => {
    const own = { ducklingId, events: eventsOf(55, 100), heads }
    const report = await verifyLog({ proofs: [], readFile: null, vkeys: [signer.vkey], own })
    expect(report.faults).toMatchObject([{ kind: 'rewritten', message: expect.stringContaining('Event 60') }])
  })

  it('show that the newest events were removed', async () => {
    expect((await check({ events: eventsOf().slice(0, 55) })).messages).toEqual([
      'truncated: Entry 29 of the log stands for event 60, but the file does not hold this event: it was removed.',
    ])
  })

  it('show a rewritten event when the export has a changed digest too', async () => {
    const forged = heads.map((head, place) => (place === 5 ? headAt(5, 60, 100) : head))
    expect((await check({ events: eventsOf(55, 100), heads: forged })).messages).toEqual([
      'entry: The log has something else at entry 29 than the export says.',
    ])
  })

  // security: rewrite-2
  it('are reported missing below a kept checkpoint when the export hides them', async () => {
    const hidden = await check({ heads: heads.slice(4) }, [await keptOf(20, minuteOf(45))])
    expect(hidden.messages).toEqual([
      'rewritten: Event 1 is older than kept.txt, but none of its 20 entries covers the event: the audit log was rewritten after that, or the service hides entries from you.',
    ])
    const partly = await check({ heads: heads.filter(({ seq }) => seq < 30) }, [
      await keptOf(20, minuteOf(45)),
    ])
    expect(partly.messages).toEqual([expect.stringContaining('Event 21 is older than kept.txt')])
  })

  it('cover no events when they are from another log', async () => {
    const elsewhere = aNoteSigner('lake.example/.well-known/tlog', 2)
    const { checkpoint } = await aLog(entries.slice(0, 3), elsewhere)
    const report = await verifyLog({
      proofs: [{ ...(await keptOf(3, minuteOf(52))), checkpoint }],
      readFile: (await aLog(entries, signer)).readFile,
      vkeys: [signer.vkey, elsewhere.vkey],
      origin: signer.key.name,
      own: { ducklingId, events: eventsOf(), heads },
    })
    expect(report).toMatchObject({ faults: [{ kind: 'origin' }], coverage: [] })
  })

  it('may miss the events of the last ten minutes before a checkpoint', async () => {
    expect((await check({}, [await keptOf(20, minuteOf(50))])).messages).toEqual([])
    expect((await check({}, [await keptOf(20, minuteOf(52))])).messages).toEqual([
      expect.stringContaining('Event 41 is older'),
    ])
  })

  it('are listed in at most ten faults', async () => {
    const many = Array.from({ length: 30 }, (_, at) => ({ index: 100 + at, seq: at + 1, digest: 'x' }))
    const { messages } = await check({ heads: many })
    expect(messages).toHaveLength(11)
    expect(messages.at(-1)).toBe('rewritten: 20 more entries of the log contradict the audit log.')
  })
})
