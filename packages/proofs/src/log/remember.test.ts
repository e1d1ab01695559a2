/** Checkpoints that are remembered, at a log, in proofs and in receipts. */
import { describe, expect, it } from 'vitest'
import { type ALog, aLog, aProof, chainHeadEntry } from '@/lib/fixtures/logs'
import {
  enrolmentIn,
  issuer,
  key,
  logSigner,
  logWith,
  makeReceipt,
  signedAt,
  treeOf,
} from '@/lib/fixtures/receipt-maker'
import { edPasskey, passkey, signedParts } from '@/lib/fixtures/signed-parts'
import { aNoteSigner } from '@/lib/fixtures/witnesses'
import { base64 } from '../bytes'
import { verifyLogProof } from '../log-proof'
import { type OutcomePolicy, verifyOutcome } from '../receipt'
import { verifyTransparencyLog } from '../transparency-log'
import { type CheckpointFork, type CheckpointStore, memoryCheckpoints } from './checkpoint-store'
import { encodeEntry } from './entry'
import { proveConsistency } from './merkle'
import { remember } from './remember'

const signer = aNoteSigner('pond.example/.well-known/tlog', 1)
const vkeys = [signer.vkey]
const duckling = 'DUCK-01JD0000000000000000000000'
const hex = (byte: number) => Buffer.alloc(32, byte).toString('hex')
const event = { duckling_id: duckling, seq: 7, hash: hex(7) }
const entriesOf = (size: number, filler: number) => [
  chainHeadEntry(duckling, 7, hex(7)),
  ...Array.from({ length: size - 1 }, (_, at) => encodeEntry('chain_head', hex((at + filler) % 256))),
]
/** A log of the host, and another history under the same key. */
const logOf = (size: number) => aLog(entriesOf(size, 0), signer)
const otherLogOf = (size: number) => aLog(entriesOf(size, 100), signer)

/** A store that shows what it has. */
function openStore() {
  const forks: CheckpointFork[] = []
  const store = memoryCheckpoints()
  const keepFork = (fork: CheckpointFork) => {
    forks.push(fork)
    return store.keepFork(fork)
  }
  const sizes = async (origin = signer.key.name) =>
    (await store.get(origin)).map(({ size, isProven }) => `${isProven ? 'proven' : 'seen'} ${size}`)
  return { store: { ...store, keepFork } satisfies CheckpointStore, forks, sizes }
}

const readLog = (log: ALog, checkpoints: CheckpointStore) =>
  verifyTransparencyLog({ log: log.readFile, vkeys, checkpoints })
const readProof = async (log: ALog, checkpoints: CheckpointStore) =>
  verifyLogProof(await aProof(log, signer, 0, event), { vkeys, checkpoints })

describe('a log that is read', () => {
  it('is remembered as proven, and may grow', async () => {
    const { store, sizes } = openStore()
    for (const size of [5, 5, 300]) {
      expect(await readLog(await logOf(size), store)).toMatchObject({ ok: true, faults: [] })
      expect(await sizes()).toEqual([`proven ${size}`])
    }
  })

  it.each([
    ['of the same size', 20],
    ['that is larger', 30],
  ])('is refused with another history %s, with both notes as evidence', async (_, size) => {
    const { store, sizes, forks } = openStore()
    const [first, second] = [await logOf(20), await otherLogOf(size)]
    await readLog(first, store)
    const report = await readLog(second, store)
    const fork = { origin: signer.key.name, remembered: first.checkpoint, found: second.checkpoint }
    expect(report).toMatchObject({ ok: false, faults: [{ kind: 'rewritten', fork }] })
    expect(report.faults[0]?.message).toContain('keep them, they prove it')
    expect(forks).toEqual([fork])
    expect(await sizes()).toEqual(['proven 20'])
  })

  it('is refused when it is shorter than it was', async () => {
    const { store, sizes, forks } = openStore()
    await readLog(await logOf(20), store)
    expect(await readLog(await logOf(19), store)).toMatchObject({ faults: [{ kind: 'truncated' }] })
    expect([await sizes(), forks]).toEqual([['proven 20'], []])
  })

  it('is compared with an unproven checkpoint, too', async () => {
    const { store, sizes } = openStore()
    await readLog(await logOf(10), store)
    expect(await readProof(await otherLogOf(20), store)).toMatchObject({ ok: true })
    expect(await sizes()).toEqual(['proven 10', 'seen 20'])
    expect(await readLog(await logOf(30), store)).toMatchObject({ faults: [{ kind: 'rewritten' }] })
    expect(await sizes()).toEqual(['proven 10', 'seen 20'])
  })

  it('is refused when it never reaches the huge checkpoint of a proof', async () => {
    const { store } = openStore()
    await readProof(await otherLogOf(40), store)
    expect(await readLog(await logOf(30), store)).toMatchObject({ faults: [{ kind: 'truncated' }] })
  })

  it('under another name is another log', async () => {
    const { store, sizes } = openStore()
    const other = aNoteSigner('lake.example/log', 2)
    await readLog(await logOf(20), store)
    const log = await aLog(entriesOf(20, 100), other)
    const report = await verifyTransparencyLog({
      log: log.readFile,
      vkeys: [other.vkey],
      checkpoints: store,
    })
    expect(report.ok).toBe(true)
    expect([await sizes(), await sizes('lake.example/log')]).toEqual([['proven 20'], ['proven 20']])
  })

  it('is not remembered when no trusted key signed it', async () => {
    const { store, sizes } = openStore()
    const stranger = aNoteSigner(signer.key.name, 9)
    const log = await aLog(entriesOf(20, 0), stranger)
    expect((await readLog(log, store)).ok).toBe(false)
    expect(await sizes()).toEqual([])
  })
})

describe('a proof', () => {
  it('is remembered as seen, and a smaller one is accepted', async () => {
    const { store, sizes } = openStore()
    for (const size of [20, 10, 30]) expect((await readProof(await logOf(size), store)).ok).toBe(true)
    expect(await sizes()).toEqual(['seen 30'])
    await readLog(await logOf(40), store)
    expect((await readProof(await logOf(35), store)).ok).toBe(true)
    expect(await sizes()).toEqual(['proven 40', 'seen 30'])
  })

  it('that continues a kept checkpoint is proven, unless another one is remembered', async () => {
    const [older, newer] = [await logOf(20), await logOf(30)]
    const consistency = {
      first: 20,
      second: 30,
      proof: (await proveConsistency(20, 30, newer.readSubtree)).map(base64),
    }
    const proof = { ...(await aProof(newer, signer, 0, event)), consistency }
    const grow = (checkpoints: CheckpointStore) =>
      verifyLogProof(proof, { vkeys, kept: older.checkpoint, checkpoints })
    const [fresh, used] = [openStore(), openStore()]
    expect((await grow(fresh.store)).ok).toBe(true)
    expect(await fresh.sizes()).toEqual(['proven 30', 'seen 20'])
    await readProof(await logOf(25), used.store)
    expect((await grow(used.store)).ok).toBe(true)
    expect(await used.sizes()).toEqual(['seen 30'])
  })

  it('is refused when it contradicts a remembered checkpoint', async () => {
    const { store, forks } = openStore()
    await readLog(await logOf(20), store)
    expect(await readProof(await otherLogOf(20), store)).toMatchObject({
      ok: false,
      fault: { reason: 'rewritten', message: expect.stringContaining('Keep both: they prove it.') },
    })
    expect(forks).toHaveLength(1)
  })
})

describe('a receipt', () => {
  const policy: OutcomePolicy = {
    issuer,
    keys: { keys: [key.jwk] },
    require: 'signed',
    vkeys: [logSigner.vkey],
  }
  const receiptIn = async (log: ALog) => {
    const parts = await signedParts({ log: treeOf(log) })
    return makeReceipt({ ...parts, enrolment: await enrolmentIn(log, 2) })
  }

  it('is refused when its checkpoint contradicts one of another receipt', async () => {
    const { store, sizes, forks } = openStore()
    const check = async (log: ALog) => verifyOutcome(await receiptIn(log), { ...policy, checkpoints: store })
    const [first, second] = [await logWith([passkey, edPasskey]), await logWith([passkey, passkey])]
    expect((await check(first)).ok).toBe(true)
    expect((await check(first)).ok).toBe(true)
    const fork = { origin: logSigner.key.name, remembered: first.checkpoint, found: second.checkpoint }
    expect(await check(second)).toMatchObject({ ok: false, fault: { part: 'enrolment', fork }, facts: null })
    expect(forks).toEqual([fork])
    expect((await check(await logWith([passkey], signedAt))).ok).toBe(true)
    expect((await check(await logWith([passkey, edPasskey, edPasskey]))).ok).toBe(true)
    expect(await sizes()).toEqual(['seen 7'])
  })

  it('is compared only with a key of the log that the caller trusts', async () => {
    const { store, sizes } = openStore()
    const receipt = await receiptIn(await logWith([passkey, edPasskey]))
    const without = { ...policy, vkeys: [], checkpoints: store }
    await expect(verifyOutcome(receipt, without)).rejects.toThrow('only with a key of the log')
    expect(await sizes()).toEqual([])
  })
})

describe('remember', () => {
  it('keeps the largest of simultaneous checkpoints', async () => {
    const { store, sizes } = openStore()
    const origin = signer.key.name
    await Promise.all(
      [3, 50, 7, 49, 12].map((size) =>
        remember(store, { origin, size, root: `${size}`, note: `${size}`, isProven: true }, 'One'),
      ),
    )
    expect(await sizes()).toEqual(['proven 50'])
  })

  it('finds a fork although both checkpoints are stored at the same time', async () => {
    const { store, forks } = openStore()
    // Both read the store before one of them writes.
    const slow: CheckpointStore = {
      ...store,
      keep: async (checkpoint) => {
        await new Promise((resolve) => setTimeout(resolve, 20))
        await store.keep(checkpoint)
      },
    }
    const found = await Promise.all(
      ['a', 'b'].map((root) =>
        remember(slow, { origin: 'log', size: 5, root, note: root, isProven: false }, 'One'),
      ),
    )
    expect(found.filter((one) => one !== null)).toHaveLength(1)
    expect(forks).toHaveLength(1)
  })
})
