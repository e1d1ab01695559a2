import { randomBytes } from 'node:crypto'
import { entryText } from '@beak/client/verify/log/entry'
import { describe, expect, it } from 'vitest'
import { db } from '@/lib/db/client'
import { appendNow, faultsOfLog } from '@/lib/fixtures/tlog'
import { enqueueApproverPage } from './enqueue-approver-page'

const aDigest = () => randomBytes(32).toString('hex')

/** Returns the texts of the entries of some pages, in the log after everything that is pending was logged. */
async function loggedPages(...digests: string[]): Promise<string[]> {
  await appendNow()
  const entries = await db().logEntry.findMany({
    where: { kind: 'approver_page', subjectId: { in: digests } },
    orderBy: { index: 'asc' },
  })
  expect(entries.every(({ ducklingId, passkeyId, seq }) => (ducklingId ?? passkeyId ?? seq) === null)).toBe(
    true,
  )
  return entries.map(({ data }) => String(Buffer.from(data)))
}

const together = (digest: string) =>
  Promise.all(Array.from({ length: 50 }, () => enqueueApproverPage(digest)))

describe('enqueueApproverPage', () => {
  it('logs a page once when 50 instances start at the same time, and not again after a restart', async () => {
    const digest = aDigest()
    await together(digest)
    expect(await db().logQueue.count({ where: { kind: 'approver_page', subjectId: digest } })).toBe(1)
    expect(await loggedPages(digest)).toEqual([entryText('approver_page', digest)])
    await together(digest)
    expect(await loggedPages(digest)).toHaveLength(1)
    expect(await faultsOfLog()).toEqual([])
  })

  it('logs a page once while the writer moves its entry into the log', async () => {
    const digest = aDigest()
    await Promise.all([together(digest), appendNow(), together(digest), appendNow()])
    expect(await loggedPages(digest)).toHaveLength(1)
  })

  it('adds an entry for another page, and none for an older page that runs again', async () => {
    const [older, newer] = [aDigest(), aDigest()]
    await enqueueApproverPage(older)
    expect(await loggedPages(older, newer)).toHaveLength(1)
    await enqueueApproverPage(newer)
    await enqueueApproverPage(older)
    expect(await loggedPages(older, newer)).toEqual(
      [older, newer].map((one) => entryText('approver_page', one)),
    )
  })

  it('does nothing without a built page', async () => {
    const before = await db().logQueue.count({ where: { kind: 'approver_page' } })
    await enqueueApproverPage(null)
    expect(await db().logQueue.count({ where: { kind: 'approver_page' } })).toBe(before)
  })
})
