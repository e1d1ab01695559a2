import { chmodSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { db } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import { anAgent } from '@/lib/factories/agents'
import { aDuckling } from '@/lib/factories/ducklings'
import { anApprovedPeck } from '@/lib/factories/pecks'
import { config, useConfig as replaceConfig } from '@/lib/kernel/config'
import { readClock, secondsAfter } from '@/lib/kernel/runtime/clock'
import { forget } from '@/lib/kernel/runtime/singleton'
import { firstIdAt } from '@/lib/kernel/secrets/ids'
import { StartProblem } from '@/lib/kernel/service/start-problem'
import {
  findGap,
  findMarkPath,
  findNewest,
  readMark,
  requireNewestEvent,
  type Seen,
  watchNewestEvent,
} from './watch-age'

const lost = { id: 'EVT-01JD0000000000000000000000', hash: 'of an event that is not there' }

/** Returns what an instance saw: an event that the database has, and `seconds` later, which is now, one that it lacks. */
async function seenBefore(seconds: number): Promise<Seen[]> {
  const now = readClock()
  const kept = await findNewest(now)
  if (kept === null) throw new Error('there are no events')
  return [
    { ...lost, until: now.toISOString() },
    { ...kept, until: secondsAfter(now, -seconds).toISOString() },
  ]
}

async function writeSeen(seen: Seen[]): Promise<void> {
  writeFileSync((await findMarkPath()) ?? '', JSON.stringify(seen))
}

/** Begins as a new process with a data folder of its own. */
function restart(dataDir = config().dataDir): void {
  forget('newest-event')
  replaceConfig({ dataDir })
}

const isRevoked = async (peckId: string) =>
  (await db().peck.findUniqueOrThrow({ where: { id: peckId } })).grantRevokedAt !== null

async function aPermission() {
  const owner = await aDuckling()
  const agent = await anAgent(owner)
  return { owner, peck: await anApprovedPeck(agent, owner) }
}

/** Removes the events of the next minutes that other tests left. They would be the newest ones. */
const withoutLaterEvents = () =>
  transaction(async (tx) => {
    await tx.run`ALTER TABLE "AuditEvent" DISABLE TRIGGER USER`
    await tx.run`DELETE FROM "AuditEvent" WHERE "id" >= ${firstIdAt('event', readClock())}`
    await tx.run`ALTER TABLE "AuditEvent" ENABLE TRIGGER USER`
  })

beforeEach(async () => {
  await db().operatorAction.deleteMany()
  await withoutLaterEvents()
  restart(mkdtempSync(join(tmpdir(), 'beak-mark-')))
})

describe('the mark outside of the database', () => {
  it('names the newest event, and is not written again while nothing happens', async () => {
    await aDuckling()
    await requireNewestEvent(readClock())
    const path = (await findMarkPath()) ?? ''
    const [seen] = (await readMark(path)) ?? []
    expect(seen).toMatchObject({ id: (await findNewest(readClock()))?.id })
    const before = readFileSync(path, 'utf8')
    await watchNewestEvent(readClock())
    expect(readFileSync(path, 'utf8')).toBe(before)
    const { id: ducklingId } = await aDuckling()
    await watchNewestEvent(readClock())
    const last = await db().auditEvent.findFirstOrThrow({ where: { ducklingId }, orderBy: { id: 'desc' } })
    const [newest] = (await readMark(path)) ?? []
    // Another test may leave an event that is newer still.
    expect((newest?.id ?? '') >= last.id).toBe(true)
  })

  it('lets an instance start whose mark is older than the database, and one without a mark', async () => {
    await requireNewestEvent(readClock())
    restart()
    await aPermission()
    await requireNewestEvent(readClock())
    restart(mkdtempSync(join(tmpdir(), 'beak-mark-')))
    await requireNewestEvent(readClock())
  })

  // security: backup-6
  it('ends the permissions that could have been used in a gap of less than five minutes, once', async () => {
    const { owner, peck } = await aPermission()
    await writeSeen(await seenBefore(299))
    await requireNewestEvent(readClock())
    expect(await isRevoked(peck.peck_id)).toBe(true)
    const events = await db().auditEvent.findMany({ where: { ducklingId: owner.id, action: 'peck.revoked' } })
    expect(events).toMatchObject([
      { actorType: 'system', metadata: expect.objectContaining({ cause: 'restored' }) },
    ])
    const later = await aPermission()
    restart()
    await requireNewestEvent(readClock())
    expect(await isRevoked(later.peck.peck_id)).toBe(false)
  })

  // security: backup-6
  it('refuses the start after a gap of five minutes, names the command, and changes nothing', async () => {
    const { peck } = await aPermission()
    await writeSeen(await seenBefore(300))
    const path = (await findMarkPath()) ?? ''
    const before = readFileSync(path, 'utf8')
    const starting = requireNewestEvent(readClock())
    await expect(starting).rejects.toThrow(StartProblem)
    await expect(starting).rejects.toThrow(/database is older than it was.*restored --as-of \S+Z --yes/)
    expect(readFileSync(path, 'utf8')).toBe(before)
    expect(await isRevoked(peck.peck_id)).toBe(false)
  })

  it('refuses the start on a database that has another event in the place of the newest one', async () => {
    await aDuckling()
    const newest = await findNewest(readClock())
    if (newest === null) throw new Error('there are no events')
    await writeSeen([{ ...newest, hash: 'of another event' }])
    await expect(requireNewestEvent(readClock())).rejects.toThrow('database is older than it was')
  })

  it('lets the instance start once `restored` has ended what is too old, and not by an earlier `restored`', async () => {
    const seen = await seenBefore(600)
    await writeSeen(seen)
    const until = new Date(seen[0]?.until ?? '')
    const restored = (command: string, startedAt: Date, succeeded = true) =>
      db().operatorAction.create({ data: { command, startedAt, succeeded } })
    await restored('restored --as-of 2026-11-01T00:00:00Z --yes', secondsAfter(until, -1))
    await restored('restored --as-of 2026-11-01T00:00:00Z', secondsAfter(until, 1))
    await restored('restored --as-of 2026-11-01T00:00:00Z --yes', secondsAfter(until, 1), false)
    await expect(requireNewestEvent(readClock())).rejects.toThrow(StartProblem)
    await restored('restored --as-of 2026-11-01T00:00:00Z --yes', secondsAfter(until, 1))
    restart()
    await requireNewestEvent(readClock())
    expect(await findGap((await readMark((await findMarkPath()) ?? '')) ?? [])).toBeNull()
  })

  // security: backup-6
  it('stops an instance whose database becomes older while it runs', async () => {
    await aDuckling()
    await writeSeen(await seenBefore(400))
    const stop = vi.fn()
    await expect(requireNewestEvent(readClock())).rejects.toThrow(StartProblem)
    await watchNewestEvent(readClock(), stop)
    expect(stop).toHaveBeenCalledOnce()
  })

  it('is compared before it is written, also by an instance that did not compare at its start', async () => {
    await aDuckling()
    await writeSeen(await seenBefore(400))
    const path = (await findMarkPath()) ?? ''
    const before = readFileSync(path, 'utf8')
    const stop = vi.fn()
    await watchNewestEvent(readClock(), stop)
    expect(stop).toHaveBeenCalledOnce()
    expect(readFileSync(path, 'utf8')).toBe(before)
  })

  it('is not compared with another database', async () => {
    const other = join(config().dataDir, 'newest-event-of-another')
    writeFileSync(other, JSON.stringify([{ ...lost, until: readClock().toISOString() }]))
    await requireNewestEvent(readClock())
    expect(readdirSync(config().dataDir)).toHaveLength(2)
  })

  it('is left out without a folder, and does not stop a service in a folder that cannot be written', async () => {
    restart(join(config().dataDir, 'missing'))
    await requireNewestEvent(readClock())
    const folder = mkdtempSync(join(tmpdir(), 'beak-mark-'))
    chmodSync(folder, 0o500)
    restart(folder)
    await requireNewestEvent(readClock())
    await watchNewestEvent(readClock())
  })
})
