import { describe, expect, it } from 'vitest'
import { cosignNote, signNote } from '@/lib/domain/tlog/sign-note'
import { aLog, aProof, chainHeadEntry } from '@/lib/fixtures/logs'
import { aNoteSigner } from '@/lib/fixtures/witnesses'
import type { OwnLog } from './check-entry'
import { encodeEntry } from './entry'
import { type KeptProof, presentProof, readKeptProof } from './kept-proof'
import { encodeEntries } from './tiles'
import { type LogCheck, verifyLog } from './verify-log'

const origin = 'pond.example/.well-known/tlog'
const signer = aNoteSigner(origin, 1)
const vkeys = [signer.vkey]
const duckling = 'DUCK-01JD0000000000000000000000'
const hex = (byte: number) => Buffer.alloc(32, byte).toString('hex')

/** 700 entries. Entry 5 is event 7 of the duckling's audit log. */
const history = Array.from({ length: 700 }, (_, index) =>
  index === 5
    ? chainHeadEntry(duckling, 7, hex(7))
    : encodeEntry(index % 9 === 0 ? 'passkey_enrolled' : 'chain_head', hex(index % 251)),
)
const event = { duckling_id: duckling, seq: 7, hash: hex(7) }
/** The history with one entry replaced by another of the same length. */
const changedAt = (index: number) =>
  history.map((one, at) => (at === index ? encodeEntry('chain_head', hex(255)) : one))

const present = (value: unknown): KeptProof => {
  const proof = presentProof('kept.json', value)
  if (proof === null) throw new Error('not a proof')
  return proof
}
const keptNote = (checkpoint: string): KeptProof => ({
  name: 'kept.txt',
  checkpoint,
  vkeys: [],
  entries: [],
  signedAt: null,
  heads: null,
  ownEntries: null,
})
const noteOf = async (size: number) => keptNote((await aLog(history.slice(0, size), signer)).checkpoint)
const proofOf = async (size: number) =>
  present(await aProof(await aLog(history.slice(0, size), signer), signer, 5, event))

const check = (about: Partial<LogCheck> & Pick<LogCheck, 'readFile'>) =>
  verifyLog({ proofs: [], vkeys, ...about })
const messagesOf = async (about: Partial<LogCheck> & Pick<LogCheck, 'readFile'>) =>
  (await check(about)).faults.map(({ kind, message }) => `${kind}: ${message}`)

describe('an honest log', () => {
  it.each([6, 255, 256, 257, 512, 700])('continues every earlier checkpoint at %i entries', async (size) => {
    const { readFile } = await aLog(history.slice(0, size), signer)
    const sizes = [0, 1, 5, 6, 128, 255, 256, 257, 300, 511, 512, 513, 699, 700].filter((one) => one <= size)
    const proofs = await Promise.all(sizes.map(noteOf))
    const report = await check({ readFile, proofs })
    expect(report.faults).toEqual([])
    expect(report).toMatchObject({
      newest: { origin, size },
      kept: proofs.map((_, at) => ({ size: sizes[at] })),
    })
  })

  it('contains the entry of a kept proof after it has grown, in a quick and a full check', async () => {
    const proofs = [await proofOf(6), await proofOf(300)]
    const { readFile } = await aLog(history, signer)
    for (const isQuick of [false, true]) {
      const report = await check({
        readFile,
        proofs,
        isQuick,
        own: { ducklingId: duckling, events: [event], heads: [] },
      })
      expect(report.faults).toEqual([])
      expect(report.included).toEqual([
        { name: 'kept.json', index: 5, seq: 7 },
        { name: 'kept.json', index: 5, seq: 7 },
      ])
    }
  })

  it('is read in full, with progress, unless the check is quick', async () => {
    const { readFile } = await aLog(history, signer)
    const read: string[] = []
    const recording = (path: string) => {
      read.push(path)
      return readFile(path)
    }
    const progress: number[] = []
    await check({ readFile: recording, onProgress: (checked) => progress.push(checked) })
    expect(progress.at(-1)).toBe(700)
    expect(read).toEqual(
      expect.arrayContaining(['tile/entries/000', 'tile/entries/001', 'tile/entries/002.p/188']),
    )
    read.length = 0
    await check({ readFile: recording, isQuick: true })
    expect(read.filter((path) => path.includes('entries'))).toEqual([])
  })

  it('may serve a full tile instead of a partial one', async () => {
    const { readFile, checkpoint } = await aLog(history.slice(0, 300), signer)
    const grown = await aLog(history, signer)
    const mixed = async (path: string) => (path === 'checkpoint' ? readFile(path) : grown.readFile(path))
    const level1 = async (path: string) =>
      (await mixed(path)) ?? (path.startsWith('tile/1/') ? readFile(path) : null)
    expect((await check({ readFile: level1, proofs: [keptNote(checkpoint)] })).faults).toEqual([])
  })

  it('passes when it has no entries yet', async () => {
    const { readFile, checkpoint } = await aLog([], signer)
    expect((await check({ readFile, proofs: [keptNote(checkpoint)] })).faults).toEqual([])
  })
})

describe('an attack on the log', () => {
  it('is found when only an entry in a bundle was replaced', async () => {
    const { files, readFile } = await aLog(history, signer)
    files.set('tile/entries/001', encodeEntries(changedAt(300).slice(256, 512)))
    expect(await messagesOf({ readFile })).toEqual([
      'entry: Entries of the log do not fit its hashes: 300. They were replaced after they were signed.',
    ])
    expect(await messagesOf({ readFile, isQuick: true })).toEqual([])
  })

  it('is found when an entry and its hash were replaced', async () => {
    const { files, readFile } = await aLog(history, signer)
    const forged = await aLog(changedAt(300), signer)
    for (const path of ['tile/entries/001', 'tile/0/001'])
      files.set(path, (await forged.readFile(path)) ?? Buffer.alloc(0))
    expect(await messagesOf({ readFile })).toEqual([
      'tiles: The log contradicts itself: tile/0/001 does not give the hash that the tile above has for it. Its files were changed after they were signed.',
    ])
  })

  it('is found when all hashes were recomputed under the signed checkpoint', async () => {
    const { checkpoint } = await aLog(history, signer)
    const forged = await aLog(changedAt(300), signer)
    forged.files.set('checkpoint', Buffer.from(checkpoint))
    for (const isQuick of [false, true])
      expect(await messagesOf({ readFile: forged.readFile, isQuick })).toEqual([
        'tiles: The log contradicts itself: its tiles do not give the root that its checkpoint of 700 entries has. Its files were changed after they were signed.',
      ])
  })

  // security: rewrite-4
  it('is found by a kept checkpoint when all hashes were recomputed and signed again', async () => {
    const { readFile } = await aLog(changedAt(5), signer)
    for (const size of [6, 257, 700]) {
      const [message, ...others] = await messagesOf({ readFile, proofs: [await noteOf(size)] })
      expect(message).toContain(
        `rewritten: kept.txt and the log contradict each other: the first ${size} entries have another root now.`,
      )
      expect(others).toEqual([])
    }
    expect(await messagesOf({ readFile, proofs: [await noteOf(5)] })).toEqual([])
  })

  it('is found by a kept proof, which names the event of the replaced entry', async () => {
    const { readFile } = await aLog(changedAt(5), signer)
    const messages = await messagesOf({ readFile, proofs: [await proofOf(300)] })
    expect(messages[0]).toContain('rewritten: kept.json and the log contradict each other')
    expect(messages[1]).toBe(
      'rewritten: kept.json: the log has something else at entry 5 now, which stood for event 7: the entry was replaced.',
    )
  })

  // security: rewrite-4
  it('is found when the log was shortened and signed again', async () => {
    const { readFile } = await aLog(history.slice(0, 290), signer)
    expect(await messagesOf({ readFile, proofs: [await noteOf(300)] })).toEqual([
      'truncated: kept.txt has 300 entries, but the log has only 290 now: the last 10 were removed.',
    ])
  })

  it('is found when the log was shortened and grew again, or forked at the same size', async () => {
    const fork = [...history.slice(0, 290), ...history.slice(300), ...history.slice(290, 300)]
    const { readFile } = await aLog(fork, signer)
    for (const size of [300, 700])
      expect((await messagesOf({ readFile, proofs: [await noteOf(size)] }))[0]).toContain(
        `the first ${size} entries have another root now. The log was rewritten, or it shows different people different histories.`,
      )
    expect(await messagesOf({ readFile, proofs: [await noteOf(290)] })).toEqual([])
  })

  it('is found when different tiles belong to the current root and the kept root', async () => {
    // The tile of the leaves is unchanged. The tile above and the checkpoint belong to the rewritten log.
    const honest = await aLog(history, signer)
    const forged = await aLog(changedAt(5), signer)
    forged.files.set('tile/0/000', (await honest.readFile('tile/0/000')) ?? Buffer.alloc(0))
    for (const isQuick of [false, true])
      expect(
        (await messagesOf({ readFile: forged.readFile, isQuick, proofs: [await noteOf(100)] }))[0],
      ).toContain(
        'tiles: The log contradicts itself: tile/0/000 does not give the hash that the tile above has for it',
      )
  })

  it.each(['tile/0/000', 'tile/1/000.p/2', 'tile/0/002.p/188', 'tile/entries/001'])(
    'is found when %s is missing, shortened or has one changed bit',
    async (path) => {
      const { files, readFile } = await aLog(history, signer)
      const bytes = files.get(path) ?? Buffer.alloc(0)
      const flipped = Buffer.from(bytes)
      flipped[40] = (flipped[40] ?? 0) ^ 1
      for (const change of [flipped, bytes.subarray(0, -1)]) {
        files.set(path, change)
        expect((await check({ readFile })).faults, `${change.length}`).toHaveLength(1)
      }
      files.delete(path)
      expect(await messagesOf({ readFile })).toEqual([
        `tiles: The log has no ${path}, although its checkpoint says that it exists.`,
      ])
    },
  )
})

describe('the checkpoint', () => {
  it('must be signed by a key of the log, whether newest or kept', async () => {
    const thief = aNoteSigner(origin, 2)
    const { readFile } = await aLog(history, thief)
    expect((await messagesOf({ readFile }))[0]).toContain(
      `signature: The log's newest checkpoint: none of the log's keys (${origin}+${signer.key.id}) signed it; the signatures are of ${origin}+${thief.key.id}.`,
    )
    const honest = await aLog(history, signer)
    const forged = keptNote((await aLog(history, thief)).checkpoint)
    expect((await messagesOf({ readFile: honest.readFile, proofs: [forged] }))[0]).toContain(
      "signature: kept.txt: none of the log's keys",
    )
    const both = [signer.vkey, thief.vkey]
    expect((await check({ readFile: honest.readFile, proofs: [forged], vkeys: both })).faults).toEqual([])
  })

  it('must be signed by a key with the name of the log', async () => {
    const other = aNoteSigner('lake.example/.well-known/tlog', 1)
    const log = await aLog(history, signer)
    const text = log.checkpoint.slice(0, log.checkpoint.indexOf('\n\n') + 1)
    const forged = keptNote(`${text}\n${signNote(text, other.key, other.privateKey)}`)
    const messages = await messagesOf({
      readFile: log.readFile,
      proofs: [forged],
      vkeys: [signer.vkey, other.vkey],
    })
    expect(messages[0]).toContain("signature: kept.txt: none of the log's keys")
  })

  it('must belong to the same log', async () => {
    const other = aNoteSigner('lake.example/.well-known/tlog', 1)
    const kept = keptNote((await aLog(history, other)).checkpoint)
    const { readFile } = await aLog(history, signer)
    expect(await messagesOf({ readFile, proofs: [kept], vkeys: [signer.vkey, other.vkey] })).toEqual([
      `origin: kept.txt is of the log ${other.key.name}, but this is ${origin}.`,
    ])
    expect(await messagesOf({ readFile, origin: other.key.name })).toEqual([
      `origin: The log calls itself ${origin}, not ${other.key.name}.`,
    ])
  })

  it('is reported when it is missing or malformed', async () => {
    const { files, readFile } = await aLog(history, signer)
    files.set('checkpoint', Buffer.from('hello\n'))
    expect(await messagesOf({ readFile })).toEqual([
      "malformed: The log's newest checkpoint is not a signed checkpoint (C2SP tlog-checkpoint).",
    ])
    files.delete('checkpoint')
    expect(await messagesOf({ readFile })).toEqual(['tiles: The log has no checkpoint.'])
  })
})

describe('the keys of the log', () => {
  it('come from the caller, else from the files, else from the log', async () => {
    const { files, readFile } = await aLog(history, signer)
    const proofs = [await proofOf(300)]
    expect(await check({ readFile, proofs })).toMatchObject({ keySource: 'given', faults: [] })
    expect(await check({ readFile, proofs, vkeys: [] })).toMatchObject({ keySource: 'files', faults: [] })
    expect(await check({ readFile, vkeys: [] })).toMatchObject({ keySource: 'log', faults: [] })
    files.delete('vkeys')
    expect(await messagesOf({ readFile, vkeys: [] })).toEqual([
      'signature: There is no key of the log to check its signatures with: name one (--vkey).',
    ])
  })
})

describe('a kept proof', () => {
  const own = { ducklingId: duckling, events: [event] }
  const changed = async (change: object, inclusion?: string[]) => {
    const proof = await proofOf(300)
    const entries = proof.entries.map((one) => ({
      entry: { ...one.entry, ...change },
      inclusion: inclusion ?? one.inclusion,
    }))
    return { ...proof, entries }
  }
  const faultsOf = async (proof: KeptProof, about: OwnLog = own) =>
    messagesOf({ readFile: null, proofs: [proof], own: about })

  it('is checked without reading the log', async () => {
    const report = await check({ readFile: null, proofs: [await proofOf(300)], own })
    expect(report).toMatchObject({ faults: [], newest: null, included: [{ index: 5, seq: 7 }] })
  })

  it('shows that the event was rewritten or removed, or belongs to another account', async () => {
    const proof = await proofOf(300)
    expect(await faultsOf(proof, { ...own, events: [{ ...event, hash: hex(8) }] })).toEqual([
      'rewritten: kept.json shows that event 7 had another hash when it was entered in the transparency log (entry 5): the audit log was rewritten after that.',
    ])
    expect(await faultsOf(proof, { ...own, events: [] })).toEqual([
      `truncated: kept.json shows that event 7 was in the log of ${duckling}, but the file ends at event 0: the latest events were removed, or the file is older than kept.json.`,
    ])
    expect(await faultsOf(proof, { ...own, events: [{ ...event, seq: 8 }] })).toEqual([
      `truncated: kept.json shows that event 7 was in the log of ${duckling}, but the file does not hold this event: it was removed.`,
    ])
    expect(await faultsOf(proof, { ...own, events: [], isPart: true })).toEqual([
      `truncated: kept.json shows that event 7 was in the log of ${duckling}, but this page does not hold the event. Check an export: an export has all events.`,
    ])
    expect(await faultsOf(proof, { ...own, ducklingId: 'DUCK-2' })).toEqual([
      `entry: kept.json is about the log of ${duckling}, not of DUCK-2.`,
    ])
  })

  it('is rejected with another digest, bytes, leaf hash, index or event', async () => {
    const cases: [object, string][] = [
      [{ digest: hex(9) }, 'rewritten: '],
      [{ data: '{}' }, 'entry: kept.json: the bytes and the leaf hash of entry 5 do not fit its digest.'],
      [{ leaf_hash: hex(9) }, 'entry: kept.json: the bytes and the leaf hash'],
      [
        { index: 6 },
        'inclusion: kept.json: the proof does not show that entry 6 is in the checkpoint of 300 entries.',
      ],
      [{ index: 300 }, 'inclusion: '],
      [{ seq: null }, 'entry: kept.json does not say which event'],
    ]
    for (const [change, message] of cases)
      expect((await faultsOf(await changed(change)))[0], JSON.stringify(change)).toContain(message)
    const alone = await messagesOf({ readFile: null, proofs: [await changed({ hash: hex(9) })] })
    expect(alone[0]).toContain('entry: kept.json: the digest of entry 5 is not that of event 7 with the hash')
    const blank = await messagesOf({ readFile: null, proofs: [await changed({ hash: null })] })
    expect(blank).toEqual([
      'entry: kept.json does not say which hash event 7 has: the service could not find the event.',
    ])
  })

  it('is rejected without its inclusion proof, or with a longer or shorter one', async () => {
    const path = (await proofOf(300)).entries[0]?.inclusion ?? []
    expect(path.length).toBeGreaterThan(5)
    for (const inclusion of [
      [],
      path.slice(1),
      path.slice(0, -1),
      ['AAAA', ...path],
      [...path, path[0] ?? ''],
    ])
      expect(await faultsOf(await changed({}, inclusion))).toHaveLength(1)
  })

  it('may have several entries, which must all be in the log', async () => {
    const log = await aLog(history.slice(0, 300), signer)
    const { entry, inclusion, ...answer } = await aProof(log, signer, 5, event)
    const [other] = (await changed({ digest: hex(6), data: '', seq: null, kind: 'passkey_enrolled' })).entries
    const proof = present({ ...answer, entry: null, inclusion: null, entries: [{ entry, inclusion }, other] })
    const report = await check({ readFile: log.readFile, proofs: [proof] })
    expect(report.included).toEqual([])
    expect(report.faults.map(({ kind }) => kind)).toEqual(['entry', 'inclusion', 'rewritten'])
  })

  it('is read from a note, an answer or an export', async () => {
    const proof = await proofOf(300)
    const answer = await aProof(await aLog(history.slice(0, 300), signer), signer, 5, event)
    expect(readKeptProof('kept.json', JSON.stringify(answer))).toEqual(proof)
    expect(readKeptProof('kept.json', JSON.stringify({ audit: { events: [], log: answer } }))).toEqual(proof)
    expect(readKeptProof('a', proof.checkpoint)).toMatchObject({ checkpoint: proof.checkpoint, entries: [] })
    for (const wrong of ['{', '{}', '{"audit":{}}']) expect(readKeptProof('a', wrong)).toBeNull()
  })
})

describe('cosignatures', () => {
  const witnesses = [3, 4].map((byte) => aNoteSigner(`w${byte}.example/witness`, byte, 'cosignature'))
  const [first, second] = witnesses as [typeof signer, typeof signer]
  const cosignedBy = (...by: (typeof signer)[]) =>
    aLog(history, signer, (text) =>
      by.map((one) => cosignNote(text, one.key, one.privateKey, 1_790_000_000)).join(''),
    )
  const named = { witnesses: witnesses.map(({ key }) => key) }

  it('are required from all named witnesses, or from the quorum', async () => {
    const both = await check({ readFile: (await cosignedBy(first, second)).readFile, ...named })
    expect(both.faults).toEqual([])
    expect(both.cosignatures).toEqual(
      witnesses.map(({ key }) => ({ witness: key.name, time: 1_790_000_000 })),
    )
    const { readFile } = await cosignedBy(second)
    expect((await messagesOf({ readFile, ...named }))[0]).toContain(
      'witness: The newest checkpoint has 1 of 2 required cosignatures; it has no valid one of w3.example/witness.',
    )
    expect(await messagesOf({ readFile, ...named, quorum: 1 })).toEqual([])
  })

  it('count once for each witness, and only for the text of the checkpoint', async () => {
    const { readFile } = await cosignedBy(first)
    const twice = { witnesses: [first.key, first.key], quorum: 2 }
    expect(await check({ readFile, ...twice })).toMatchObject({ faults: [{ kind: 'witness' }] })
    const line = cosignNote('another\n', second.key, second.privateKey, 1_790_000_000)
    const forged = await aLog(history, signer, () => line)
    expect(await check({ readFile: forged.readFile, ...named, quorum: 1 })).toMatchObject({
      faults: [{ kind: 'witness' }],
      cosignatures: [],
    })
  })
})
