import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ReadLogFile } from '@beak/proofs/log/authenticated-tiles'
import { entryText } from '@beak/proofs/log/entry'
import { proveConsistency } from '@beak/proofs/log/merkle'
import { parseNote } from '@beak/proofs/log/note'
import { verifyConsistency } from '@beak/proofs/log/verify-proof'
import { describe, expect, it, onTestFinished } from 'vitest'
import { db, Prisma } from '@/lib/db/client'
import { aLog } from '@/lib/fixtures/logs'
import {
  appendNow,
  faultsOfLog,
  newestCheckpoint,
  pendingEntries,
  readOwnFile,
  restoreLog,
} from '@/lib/fixtures/tlog'
import { type AWitness, signersOf } from '@/lib/fixtures/witness-process'
import { aNewNoteSigner, aWitness } from '@/lib/fixtures/witnesses'
import { logKey } from '@/lib/infrastructure/keys/log-keys'
import { config, useConfig as replaceConfig } from '@/lib/kernel/config'
import { readClock, secondsAfter } from '@/lib/kernel/runtime/clock'
import { continueFromMirror, merge, readMissing } from './continue-log'
import { cosign } from './cosign'
import { copyTiles, readMirror } from './mirror'
import { logOrigin, logVerifierKey } from './origin'
import type { PublishedCheckpoint } from './published'
import { readTree } from './tree'

async function grow(count: number): Promise<PublishedCheckpoint> {
  await pendingEntries(count)
  return appendNow()
}

async function aRunningWitness(name: string): Promise<AWitness> {
  const { x } = await logKey(readClock())
  const witness = await aWitness({ logs: [logVerifierKey(await logOrigin(), x)], name })
  const before = config()
  replaceConfig({ tlogWitnesses: [witness] })
  onTestFinished(() => replaceConfig(before))
  return witness
}

/** Copies the log as a witness with --mirror does. */
async function aMirror(): Promise<{ folder: string; readFile: ReadLogFile }> {
  const folder = mkdtempSync(join(tmpdir(), 'beak-mirror-'))
  await copyTiles(folder, (await newestCheckpoint()).note, readOwnFile)
  return { folder, readFile: readMirror(folder) }
}

/** The log was copied at `lost` entries, restored to `kept` entries, and has grown by `grown` entries since. */
async function aRestoredLog({ lost = 10, grown = 3 } = {}) {
  const kept = await grow(4)
  const cosigned = await grow(lost)
  const mirror = await aMirror()
  await restoreLog(kept.size)
  if (grown > 0) await grow(grown)
  return { kept, cosigned, ...mirror }
}

const rows = () =>
  Promise.all([
    db().logEntry.findMany({ orderBy: { index: 'asc' } }),
    db().logHash.findMany({ orderBy: [{ level: 'asc' }, { index: 'asc' }] }),
    db().logCheckpoint.findMany({ orderBy: [{ origin: 'asc' }, { size: 'asc' }] }),
    db().logCosignature.findMany({ orderBy: [{ size: 'asc' }, { witness: 'asc' }] }),
  ])

describe('a log whose database was restored from a backup', () => {
  it.each([
    { lost: 5, grown: 9 },
    { lost: 600, grown: 2 },
    { lost: 3, grown: 300 },
  ])('gets the lost entries from a mirror, and its witness cosigns again: %j', async ({ lost, grown }) => {
    const witness = await aRunningWitness(`w${lost}.example/w`)
    const kept = await grow(4)
    const now = readClock()
    const cosigned = await grow(lost)
    await cosign(witness, now)
    const { readFile } = await aMirror()
    await restoreLog(kept.size)
    await grow(grown)
    await cosign(witness, secondsAfter(now, 600))
    expect((await newestCheckpoint()).cosignatures).toBe(0)

    const missing = await readMissing(readFile)
    expect(missing).toMatchObject({ common: kept.size, size: kept.size + grown })
    expect(missing.entries).toHaveLength(lost)
    expect(await continueFromMirror(missing, now)).toEqual({ added: lost, moved: grown })
    const stored = await newestCheckpoint()
    expect(stored).toMatchObject({ size: cosigned.size, root: cosigned.root, cosignatures: 1 })
    expect(await signersOf(stored.note, [witness.key])).toEqual([witness.vkey])

    const next = await appendNow()
    expect(next.size).toBe(cosigned.size + grown)
    const proof = await proveConsistency(cosigned.size, next.size, readTree(db(), next.size))
    expect(verifyConsistency(cosigned, next, proof)).toBe(true)
    await cosign(witness, secondsAfter(now, 1200))
    expect(await newestCheckpoint()).toMatchObject({ size: next.size, cosignatures: 1 })
    expect(await faultsOfLog()).toEqual([])
  })

  it('continues when nothing was logged since the restore', async () => {
    const { readFile, cosigned } = await aRestoredLog({ grown: 0 })
    expect(await continueFromMirror(await readMissing(readFile), readClock())).toEqual({
      added: 10,
      moved: 0,
    })
    expect((await appendNow()).root).toEqual(cosigned.root)
    expect(await faultsOfLog()).toEqual([])
  })

  it('gets back the owners of entries that were pending in the backup', async () => {
    const kept = await grow(1)
    await pendingEntries(1)
    const [pending] = await db().logPending.findMany()
    if (pending === undefined) throw new Error('nothing is pending')
    await appendNow()
    const { readFile } = await aMirror()
    await restoreLog(kept.size)
    const { id: _, ...row } = pending
    await db().logPending.create({ data: { ...row, passkeyId: 'PKY-PENDING' } })
    await continueFromMirror(await readMissing(readFile), readClock())
    const entries = await db().logEntry.findMany({ where: { passkeyId: 'PKY-PENDING' } })
    expect(entries.map(({ index }) => Number(index))).toEqual([kept.size])
    expect((await appendNow()).size).toBe(kept.size + 1)
  })

  it('is append-only again afterwards', async () => {
    const { readFile } = await aRestoredLog()
    await continueFromMirror(await readMissing(readFile), readClock())
    await grow(300)
    for (const table of ['LogEntry', 'LogHash', 'LogCheckpoint', 'LogCosignature'])
      for (const statement of [`DELETE FROM "${table}"`, `TRUNCATE "${table}"`])
        if (table !== 'LogCosignature' || statement.startsWith('TRUNCATE'))
          await expect(db().run`${Prisma.raw(statement)}`, statement).rejects.toThrow(/append-only/)
  })

  it('is not continued with the same mirror again', async () => {
    const { readFile } = await aRestoredLog()
    await continueFromMirror(await readMissing(readFile), readClock())
    await expect(readMissing(readFile)).rejects.toThrow('There is nothing to continue')
  })

  it('is continued by one of two simultaneous commands', async () => {
    const { readFile } = await aRestoredLog()
    const [one, two] = [await readMissing(readFile), await readMissing(readFile)]
    const outcomes = await Promise.allSettled(
      [one, two].map((missing) => continueFromMirror(missing, readClock())),
    )
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { name: 'ContinueRefused', message: expect.stringContaining('Another command has continued') },
    })
    await appendNow()
    expect(await faultsOfLog()).toEqual([])
  })

  it('takes simultaneous entries of the writer along', async () => {
    const { readFile, cosigned } = await aRestoredLog()
    const missing = await readMissing(readFile)
    await pendingEntries(7)
    await Promise.all([continueFromMirror(missing, readClock()), appendNow(), appendNow()])
    expect((await appendNow()).size).toBe(cosigned.size + 3 + 7)
    expect(await faultsOfLog()).toEqual([])
  })

  it('stays as it was when the work fails at its end', async () => {
    const { readFile } = await aRestoredLog()
    const missing = await readMissing(readFile)
    const before = await rows()
    const [first, ...rest] = missing.entries
    const swapped = { ...missing, entries: [...rest, ...(first ? [first] : [])] }
    await expect(continueFromMirror(swapped, readClock())).rejects.toThrow(
      'does not have the root of the mirror',
    )
    expect(await rows()).toEqual(before)
    await expect(db().run`DELETE FROM "LogEntry"`).rejects.toThrow(/append-only/)
    await continueFromMirror(missing, readClock())
    expect(await faultsOfLog()).toEqual([])
  })
})

describe('readMissing', () => {
  it('refuses a mirror that is not longer than what the database has in common with it', async () => {
    await grow(3)
    const { readFile } = await aMirror()
    await grow(3)
    await expect(readMissing(readFile)).rejects.toThrow(
      /There is nothing to continue: the database has all \d+/,
    )
  })

  it('refuses a folder without a checkpoint, and a checkpoint that is none', async () => {
    await expect(readMissing(async () => null)).rejects.toThrow('The mirror has no file named checkpoint.')
    await expect(readMissing(async () => Buffer.from('x'))).rejects.toThrow('is not a signed checkpoint')
  })

  it('refuses another name and another key', async () => {
    const { readFile } = await aRestoredLog()
    const origin = await logOrigin()
    const stranger = await aLog([Buffer.from('x')], aNewNoteSigner('other.example/.well-known/tlog'))
    await expect(readMissing(stranger.readFile)).rejects.toThrow(
      'belongs to the log other.example/.well-known/tlog',
    )
    const thief = await aLog([Buffer.from('x')], aNewNoteSigner(origin))
    await expect(readMissing(thief.readFile)).rejects.toThrow('has no good signature of a key')
    const text = parseNote(Buffer.from((await readFile('checkpoint')) ?? []).toString())?.text ?? ''
    const changed: ReadLogFile = async (path) => {
      const bytes = await readFile(path)
      const note = Buffer.from(bytes ?? []).toString()
      return path === 'checkpoint' ? Buffer.from(note.replace(text, text.replace(/\n\d+\n/, '\n9\n'))) : bytes
    }
    await expect(readMissing(changed)).rejects.toThrow('has no good signature of a key')
  })

  it.each(['tile/entries/', 'tile/0/'])('refuses changed files: %s', async (prefix) => {
    const { folder, readFile } = await aRestoredLog()
    const before = await rows()
    const lie: ReadLogFile = async (path) => {
      const bytes = await readFile(path)
      if (!path.startsWith(prefix) || bytes === null) return bytes
      const changed = new Uint8Array(bytes)
      changed[changed.length - 5] = (changed.at(-5) ?? 0) ^ 1
      return changed
    }
    await expect(readMissing(lie)).rejects.toThrow('The mirror cannot be used.')
    await expect(
      readMissing(async (path) => (path.startsWith(prefix) ? null : readFile(path))),
    ).rejects.toThrow('The mirror cannot be used.')
    expect(await rows()).toEqual(before)
    expect(readFileSync(join(folder, 'checkpoint')).length).toBeGreaterThan(0)
  })

  it('names an entry that this version cannot store', async () => {
    await grow(1)
    const { x, privateKey } = await logKey(readClock())
    const key = logVerifierKey(await logOrigin(), x)
    const texts = [entryText('used', 'a'.repeat(64)), '{"digest":"00","kind":"later"}']
    const log = await aLog(
      texts.map((text) => Buffer.from(text)),
      { key, privateKey, vkey: '' },
    )
    await expect(readMissing(log.readFile)).rejects.toThrow(
      /Entry 1 of the mirror has a form .*Update the service/,
    )
  })
})

describe('merge', () => {
  const entry = (n: number) => ({
    kind: 'chain_head' as const,
    data: entryText('chain_head', `${n}`.repeat(64)),
  })
  const owned = (n: number, seq: number | null, ducklingId = 'DUCK-A') => ({
    ...entry(n),
    ducklingId,
    seq,
    passkeyId: null,
    subjectId: null,
    createdAt: new Date(0),
  })

  it('gives an entry of the mirror its owner, and does not add it twice', () => {
    const { merged, moved, known } = merge([entry(1), entry(2)], [owned(2, 4), owned(3, 5)], readClock())
    expect(merged.map(({ data, ducklingId }) => [data, ducklingId])).toEqual([
      [entry(1).data, null],
      [entry(2).data, 'DUCK-A'],
      [entry(3).data, 'DUCK-A'],
    ])
    expect([moved, known]).toEqual([1, 1])
  })

  it('leaves out a head that a later head of the same account covers', () => {
    const own = [owned(1, 4), owned(2, 5), owned(3, 4, 'DUCK-B')]
    const { merged } = merge([entry(2)], own, readClock())
    expect(merged.map(({ data }) => data)).toEqual([entry(2).data, entry(3).data])
  })

  it('keeps both of two equal entries', () => {
    const { merged } = merge([entry(1)], [owned(1, null), owned(1, null, 'DUCK-B')], readClock())
    expect(merged.map(({ ducklingId }) => ducklingId)).toEqual(['DUCK-A', 'DUCK-B'])
  })
})
