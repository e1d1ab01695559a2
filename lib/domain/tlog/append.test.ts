import { formatCheckpoint, parseCheckpoint } from '@beak/proofs/log/checkpoint'
import { chainHeadDigest, entryText } from '@beak/proofs/log/entry'
import { hashOfLeaf } from '@beak/proofs/log/merkle'
import { openNote, parseNote } from '@beak/proofs/log/note'
import { parseVerifierKey, type VerifierKey } from '@beak/proofs/log/verifier-key'
import { afterEach, describe, expect, it } from 'vitest'
import { db, Prisma } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import { type ADuckling, aDuckling } from '@/lib/factories/ducklings'
import { describeOnPostgres } from '@/lib/fixtures/source-files'
import { appendNow, faultsOfLog, leavesInOrder, newestCheckpoint, pendingEntries } from '@/lib/fixtures/tlog'
import { record } from '@/lib/infrastructure/events/record'
import { rotateLogKey } from '@/lib/infrastructure/keys/rotate'
import { config, useConfig } from '@/lib/kernel/config'
import { readClock, secondsAfter } from '@/lib/kernel/runtime/clock'
import { appendBatch, appendToLog, batchRows } from './append'
import { logOrigin, logVerifierKeys } from './origin'
import { findCheckpoint } from './published'

const before = config()
afterEach(async () => {
  useConfig(before)
  await db().logName.deleteMany()
})

async function ducklings(count: number): Promise<ADuckling[]> {
  const made: ADuckling[] = []
  while (made.length < count) made.push(await aDuckling())
  return made
}

/** Returns a promise and the function that resolves it. Makes two transactions overlap. */
function makeGate(): { opened: Promise<void>; open: () => void } {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open }
}

const countCheckpoints = () => db().logCheckpoint.count()
const isPending = async (ducklingId: string) =>
  (await db().auditChain.findUniqueOrThrow({ where: { ducklingId } })).logPending
const headsOf = (ducklingId: string) =>
  db().logEntry.findMany({ where: { ducklingId, kind: 'chain_head' }, orderBy: { index: 'asc' } })

async function verifierKeys(): Promise<VerifierKey[]> {
  return (await logVerifierKeys()).map(parseVerifierKey).filter((key) => key !== null)
}

describe('a log entry', () => {
  // security: fork-3
  it('has only a kind and the digest of the chain head', async () => {
    const { id } = await aDuckling()
    await appendNow()
    const { seq, hash } = await db().auditChain.findUniqueOrThrow({ where: { ducklingId: id } })
    const [entry] = await headsOf(id)
    const data = Buffer.from(entry?.data ?? [])
    expect(data.toString()).toBe(entryText('chain_head', chainHeadDigest({ ducklingId: id, seq, hash })))
    expect(data.toString()).toMatch(/^\{"digest":"[0-9a-f]{64}","kind":"chain_head"\}$/)
    expect(new Uint8Array(entry?.leafHash ?? [])).toEqual(hashOfLeaf(data))
    expect(entry).toMatchObject({ seq, passkeyId: null })
  })

  it('is not written again while the chain does not change', async () => {
    const { id } = await aDuckling()
    await appendNow()
    await db().auditChain.update({ where: { ducklingId: id }, data: { logPending: true } })
    await appendNow()
    expect(await headsOf(id)).toHaveLength(1)
    expect(await isPending(id)).toBe(false)
  })

  it('is written again when the head has the same number but another hash', async () => {
    const { id } = await aDuckling()
    await appendNow()
    const data = { hash: 'f'.repeat(64), logPending: true }
    await db().auditChain.update({ where: { ducklingId: id }, data })
    await appendNow()
    expect(await headsOf(id)).toHaveLength(2)
  })

  it('is sorted by digest, so its place reveals nothing about the account', async () => {
    const before = (await appendNow()).size
    const ids = (await ducklings(8)).map(({ id }) => id)
    await pendingEntries(8)
    await appendNow()
    const entries = await db().logEntry.findMany({
      where: { index: { gte: before } },
      orderBy: { index: 'asc' },
    })
    const published = entries.map(({ data }) => Buffer.from(data).toString())
    expect(published).toEqual(published.toSorted())
    expect(entries.map(({ ducklingId }) => ducklingId)).toEqual(expect.arrayContaining([...ids, 'DUCK-TEST']))
    expect(await db().logPending.count()).toBe(0)
  })

  it('keeps its order for a passkey that is added and removed within a minute', async () => {
    const before = (await appendNow()).size
    const same = { digest: new Uint8Array(32), ducklingId: 'DUCK-TEST', passkeyId: 'PKY-SAME' }
    const kinds = ['passkey_removed', 'passkey_enrolled', 'passkey_removed'] as const
    for (const kind of kinds) await db().logPending.create({ data: { kind, ...same } })
    await appendNow()
    const entries = await db().logEntry.findMany({
      where: { index: { gte: before }, passkeyId: 'PKY-SAME' },
      orderBy: { index: 'asc' },
    })
    expect(entries.map(({ kind }) => kind)).toEqual(kinds)
  })
})

describe('a checkpoint', () => {
  it('is a note that the published key of the log verifies', async () => {
    await aDuckling()
    const { note, size, root } = await appendNow()
    const parsed = parseNote(note)
    expect(parsed?.text).toBe(formatCheckpoint({ origin: 'localhost:3000/.well-known/tlog', size, root }))
    expect(parsed && (await openNote(parsed, await verifierKeys()))).toHaveLength(1)
    expect(parseCheckpoint(parsed?.text ?? '')?.origin).toBe(await logOrigin())
  })

  it('has the root of its entries when tiles of two levels become full', async () => {
    const { size } = await appendNow()
    const nextFull = 256 - (size % 256)
    for (const count of [nextFull - 1, 1, 1, 255, 1, 300]) {
      await pendingEntries(count)
      await appendNow()
    }
    expect(await faultsOfLog()).toEqual([])
    const { size: last } = await newestCheckpoint()
    expect(await db().logHash.count({ where: { level: 1 } })).toBe(Math.floor(last / 256))
  })

  it('is signed at most once a minute', async () => {
    await pendingEntries(1)
    const { size, signedAt } = await appendNow()
    await pendingEntries(1)
    for (const seconds of [0, 30, 59.9]) await appendToLog(secondsAfter(signedAt, seconds))
    expect((await newestCheckpoint()).size).toBe(size)
    await appendToLog(secondsAfter(signedAt, 60))
    expect(await newestCheckpoint()).toMatchObject({ size: size + 1, signedAt: secondsAfter(signedAt, 60) })
    // The clock was set back by a day.
    await pendingEntries(1)
    await appendToLog(secondsAfter(signedAt, -86_400))
    expect((await newestCheckpoint()).size).toBe(size + 2)
  })

  it('is not signed when nothing changed', async () => {
    const { signedAt } = await appendNow()
    const count = await countCheckpoints()
    await appendToLog(secondsAfter(signedAt, 3600))
    await appendToLog(secondsAfter(signedAt, 3600), { force: true })
    expect(await countCheckpoints()).toBe(count)
  })

  it('is signed at once for a new key and for a new name, at the current size', async () => {
    const unrotated = await appendNow()
    const kid = await rotateLogKey(readClock())
    await appendToLog(readClock())
    const rotated = await newestCheckpoint()
    expect(rotated).toMatchObject({ size: unrotated.size, root: unrotated.root })
    expect(await db().logCheckpoint.count({ where: { kid, origin: await logOrigin() } })).toBe(1)
    useConfig({ baseUrl: 'https://beak.example' })
    expect(await findCheckpoint(db())).toBeNull()
    await appendToLog(readClock())
    expect((await newestCheckpoint()).note).toMatch(/^beak\.example\/\.well-known\/tlog\n/)
  })

  it('waits until nothing is pending when it is the first of a name', async () => {
    await appendNow()
    useConfig({ baseUrl: 'https://first.example' })
    await pendingEntries(batchRows + 1)
    const shortRun = () => appendToLog(readClock(), { force: true, milliseconds: 0 })
    await shortRun()
    expect(await findCheckpoint(db())).toBeNull()
    await shortRun()
    const { size } = await newestCheckpoint()
    expect(size).toBe((await leavesInOrder()).length)
    await pendingEntries(batchRows + 1)
    await shortRun()
    expect((await newestCheckpoint()).size).toBe(size + batchRows)
    await appendNow()
    expect(await faultsOfLog()).toEqual([])
  })

  it('is not served while only a distrusted key has signed the newest size', async () => {
    await pendingEntries(1)
    const { size } = await appendNow()
    const kid = await rotateLogKey(readClock())
    await pendingEntries(1)
    await appendNow()
    await db().signingKey.update({ where: { kid }, data: { distrustedAt: readClock(), privateKey: null } })
    expect(await findCheckpoint(db())).toBeNull()
    await appendToLog(readClock())
    expect((await newestCheckpoint()).size).toBe(size + 1)
  })

  it('is replaced at once when its key is distrusted', async () => {
    const { note, size } = await appendNow()
    await db().signingKey.updateMany({
      where: { purpose: 'log' },
      data: { distrustedAt: readClock(), privateKey: null },
    })
    expect(await findCheckpoint(db())).toBeNull()
    await appendToLog(readClock())
    const replaced = await newestCheckpoint()
    expect(replaced.size).toBe(size)
    expect(replaced.note).not.toBe(note)
    expect(await verifierKeys()).toHaveLength(1)
  })
})

describe('simultaneous writers', () => {
  // security: fork-2
  it.each([{ force: true }, { force: false }])(
    'write each entry once, without gaps, and one checkpoint: %j',
    async (options) => {
      await pendingEntries(1)
      const { size, signedAt } = await appendNow()
      const people = await ducklings(5)
      await pendingEntries(500)
      const count = await countCheckpoints()
      const now = secondsAfter(signedAt, 61)
      await Promise.all(Array.from({ length: 20 }, () => appendToLog(now, options)))
      expect(await countCheckpoints()).toBe(count + 1)
      expect((await newestCheckpoint()).size).toBeGreaterThanOrEqual(size + 505)
      for (const { id } of people) expect(await headsOf(id)).toHaveLength(1)
      expect(await faultsOfLog()).toEqual([])
    },
  )

  it('log the last head of every account after 50 simultaneous calls and commands', async () => {
    const people = await ducklings(10)
    const now = readClock()
    await Promise.all(
      people.flatMap((one) => [
        ...Array.from({ length: 3 }, async () => {
          const context = await one.context()
          await transaction(async (tx) => record(tx, context, 'duckling.updated'))
        }),
        appendToLog(now, { force: true }),
        appendToLog(now, { force: true }),
      ]),
    )
    await appendNow()
    for (const { id } of people) {
      const { seq } = await db().auditChain.findUniqueOrThrow({ where: { ducklingId: id } })
      expect((await headsOf(id)).at(-1)?.seq).toBe(seq)
      expect(await isPending(id)).toBe(false)
    }
    expect(await faultsOfLog()).toEqual([])
  })
})

describe('a chain that changes while the writer runs', () => {
  it('stays pending', async () => {
    const duckling = await aDuckling()
    const context = await duckling.context()
    await appendNow()
    await transaction(async (tx) => record(tx, context, 'duckling.updated'))
    const { size } = await newestCheckpoint()
    const [taken, started] = [makeGate(), makeGate()]
    const batch = transaction(async (tx) => {
      await appendBatch(tx, context.now, size, 1_000)
      taken.open()
      await started.opened
    })
    await taken.opened
    const change = transaction(async (tx) => record(tx, context, 'duckling.updated'))
    started.open()
    await Promise.all([batch, change])
    expect(await isPending(duckling.id)).toBe(true)
    await appendNow()
    const { seq } = await db().auditChain.findUniqueOrThrow({ where: { ducklingId: duckling.id } })
    expect((await headsOf(duckling.id)).slice(-2).map((head) => head.seq)).toEqual([seq - 1, seq])
  })
})

describeOnPostgres('a chain with a locked head', () => {
  it('is skipped while a command has locked it, and does not delay other chains', async () => {
    const [busy, other] = [await aDuckling(), await aDuckling()]
    const [context, otherContext] = [await busy.context(), await other.context()]
    await appendNow()
    await transaction(async (tx) => record(tx, otherContext, 'duckling.updated'))
    const [held, done] = [makeGate(), makeGate()]
    const command = transaction(async (tx) => {
      record(tx, context, 'duckling.updated')
      held.open()
      await done.opened
    })
    await held.opened
    await appendToLog(context.now, { force: true })
    expect(await isPending(other.id)).toBe(false)
    done.open()
    await command
    expect(await isPending(busy.id)).toBe(true)
    await appendNow()
    expect(await isPending(busy.id)).toBe(false)
  })
})

describe('a writer that is killed between two batches', () => {
  it('leaves its entries for the next writer to publish', async () => {
    const { size, note } = await appendNow()
    await pendingEntries(5)
    await transaction((tx) => appendBatch(tx, readClock(), size, 3))
    expect((await newestCheckpoint()).note).toBe(note)
    expect((await appendNow()).size).toBe(size + 5)
    expect(await faultsOfLog()).toEqual([])
  })

  it('leaves entries that are published even when nothing else is pending', async () => {
    const { size } = await appendNow()
    await pendingEntries(2)
    await transaction((tx) => appendBatch(tx, readClock(), size, 10))
    expect((await appendNow()).size).toBe(size + 2)
    expect(await faultsOfLog()).toEqual([])
  })
})

describe('the database', () => {
  // security: rewrite-4
  it.each(['LogEntry', 'LogHash', 'LogCheckpoint', 'LogCosignature'])(
    'refuses to update, delete or truncate %s',
    async (table) => {
      await pendingEntries(300)
      const { size } = await appendNow()
      await db().logCosignature.createMany({
        data: { origin: await logOrigin(), size, witness: table, line: '', createdAt: readClock() },
      })
      const column = { LogEntry: '"seq" = 1', LogHash: '"level" = 9', LogCheckpoint: '"note" = \'\'' }
      const change = Object.hasOwn(column, table) ? column[table as keyof typeof column] : '"line" = \'x\''
      for (const statement of [
        `UPDATE "${table}" SET ${change}`,
        `DELETE FROM "${table}"`,
        `TRUNCATE "${table}"`,
      ])
        await expect(db().run`${Prisma.raw(statement)}`, statement).rejects.toThrow(/append-only/)
    },
  )
})
