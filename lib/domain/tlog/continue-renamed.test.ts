import { entryText } from '@beak/proofs/log/entry'
import { openNote, parseNote } from '@beak/proofs/log/note'
import { parseVerifierKey } from '@beak/proofs/log/verifier-key'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { aDuckling } from '@/lib/factories/ducklings'
import { appendNow, faultsOfLog, newestCheckpoint, pendingEntries, restoreLog } from '@/lib/fixtures/tlog'
import { aWitness } from '@/lib/fixtures/witnesses'
import { logKey } from '@/lib/infrastructure/keys/log-keys'
import { readClock, secondsAfter } from '@/lib/kernel/runtime/clock'
import { sha256Hex } from '@/lib/kernel/secrets/secrets'
import { continueRenamed, readLastCheckpoint } from './continue-renamed'
import { cosign } from './cosign'
import { logOrigin, logVerifierKey, logVerifierKeys } from './origin'

const clean = async () => {
  await db().logName.deleteMany()
  await db().outbox.deleteMany()
}
beforeEach(clean)
afterEach(clean)

const grow = async (count = 2) => {
  await pendingEntries(count)
  return appendNow()
}

async function rename(given: string | null = null): Promise<string> {
  return continueRenamed(await readLastCheckpoint(given), readClock())
}

describe('a log that goes on under a new name', () => {
  it('has the old entries, and one entry that names the last checkpoint of the old log', async () => {
    const old = await grow()
    const origin = await rename()
    expect(origin).toBe(`${old.origin}/2`)
    const next = await appendNow()
    expect(next).toMatchObject({ origin, size: old.size + 1, continued: old.note })
    expect(next.note).toMatch(`${origin}\n${next.size}\n`)
    const entry = await db().logEntry.findUniqueOrThrow({ where: { index: old.size } })
    const text = parseNote(old.note)?.text ?? ''
    expect(Buffer.from(entry.data).toString()).toBe(entryText('continues', sha256Hex(text)))
    expect(entry).toMatchObject({ kind: 'continues', ducklingId: null })
    expect(await faultsOfLog()).toEqual([])
  })

  it('publishes the keys of both names, so the old checkpoint can still be verified', async () => {
    const old = await grow()
    await rename()
    await appendNow()
    const keys = (await logVerifierKeys()).flatMap((vkey) => parseVerifierKey(vkey) ?? [])
    const parsed = parseNote(old.note)
    expect(parsed && (await openNote(parsed, keys))).toMatchObject([{ key: { name: old.origin } }])
  })

  it('is cosigned from its beginning by a witness that refuses the old one', async () => {
    const old = await grow()
    const { x } = await logKey(readClock())
    const logs = [old.origin, `${old.origin}/2`].map((name) => logVerifierKey(name, x))
    const witness = await aWitness({ logs, name: 'witness.example/w' })
    const lost = await grow()
    const now = readClock()
    await cosign(witness, now)
    await restoreLog(old.size)
    await grow(9)
    await cosign(witness, secondsAfter(now, 600))
    expect((await newestCheckpoint()).cosignatures).toBe(0)
    await rename(lost.note)
    await appendNow()
    await cosign(witness, secondsAfter(now, 1200))
    expect(await newestCheckpoint()).toMatchObject({ cosignatures: 1, continued: lost.note })
  })

  it('has a number that rises with each new name', async () => {
    const { origin } = await grow()
    for (const number of [2, 3]) {
      expect(await rename()).toBe(`${origin}/${number}`)
      await appendNow()
    }
    expect(await logOrigin()).toBe(`${origin}/3`)
  })

  it('is announced to owners: in their proofs and exports, and by a mail to each verified address', async () => {
    const [owner, closed, unverified] = [await aDuckling(), await aDuckling(), await aDuckling()]
    await db().duckling.update({ where: { id: closed.id }, data: { deletedAt: readClock() } })
    await db().duckling.update({ where: { id: unverified.id }, data: { emailVerifiedAt: null } })
    const old = await grow()
    await db().outbox.deleteMany()
    expect((await call('GET /beak/audit/proof', { token: owner.token })).body.continues).toBeNull()
    await rename()
    await appendNow()
    const { body } = await call('GET /beak/audit/proof', { token: owner.token })
    expect(body.continues).toEqual({
      origin: old.origin,
      checkpoint: old.note,
      at: expect.stringMatching(/^\d{4}-/),
    })
    const mails = await db().outbox.findMany({ where: { kind: 'notice_since_0_3' } })
    const receivers = mails.map(({ payload }) => (payload as { duckling_id: string }).duckling_id)
    expect(receivers).toContain(owner.id)
    expect(receivers).not.toContain(closed.id)
    expect(receivers).not.toContain(unverified.id)
    expect(mails[0]?.payload).toMatchObject({ notice: 'log_continued', facts: { at: body.continues?.at } })
  })

  it('is named by one of two simultaneous commands', async () => {
    const { origin } = await grow()
    const old = await readLastCheckpoint(null)
    const outcomes = await Promise.allSettled([1, 2].map(() => continueRenamed(old, readClock())))
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(await logOrigin()).toBe(`${origin}/2`)
    expect(await db().logQueue.count({ where: { kind: 'continues' } })).toBe(1)
  })

  it('is signed under one name only while writers run', async () => {
    await grow()
    const old = await readLastCheckpoint(null)
    await pendingEntries(3)
    await Promise.all([appendNow(), continueRenamed(old, readClock()), appendNow(), appendNow()])
    const { createdAt } = await db().logName.findFirstOrThrow({ where: { number: 2 } })
    await appendNow()
    const after = await db().logCheckpoint.findMany({ where: { createdAt: { gt: createdAt } } })
    const before = await db().logCheckpoint.findMany({
      where: { origin: old.origin },
      orderBy: { size: 'desc' },
    })
    const named = await db().logEntry.findFirstOrThrow({
      where: { kind: 'continues' },
      orderBy: { index: 'desc' },
    })
    expect(after.filter(({ origin, size }) => origin === old.origin && size > named.index)).toEqual([])
    expect(before[0]?.size).toBeLessThanOrEqual(named.index)
  })
})

describe('readLastCheckpoint', () => {
  it('refuses a checkpoint that is older than the one in the database, of another log, or changed', async () => {
    const old = await grow()
    await grow()
    await expect(readLastCheckpoint(old.note)).rejects.toThrow('the database has a newer one')
    await expect(readLastCheckpoint(old.note.replace(/\n\d+\n/, '\n9999\n'))).rejects.toThrow(
      'has no good signature of a key',
    )
    await expect(readLastCheckpoint(old.note.replaceAll('localhost', 'pond'))).rejects.toThrow(
      'belongs to the log pond',
    )
    await expect(readLastCheckpoint('x')).rejects.toThrow('is not a signed checkpoint')
  })
})
