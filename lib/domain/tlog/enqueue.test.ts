import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { clientPackageDigest, entryText, passkeyDigest } from '@beak/proofs/log/entry'
import { describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db, Prisma } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import { deletePasskeys } from '@/lib/domain/passkeys/delete'
import { finishRecoveries } from '@/lib/domain/revocation/prove-address'
import { anAgent } from '@/lib/factories/agents'
import { type ADuckling, aDuckling, randomEmail, through } from '@/lib/factories/ducklings'
import { codeFor, sentTo } from '@/lib/factories/outbox'
import { aPasskey, confirmWithPasskey } from '@/lib/factories/passkeys'
import { anApprovedPeck } from '@/lib/factories/pecks'
import { anotherSession } from '@/lib/fixtures/accounts'
import { appendNow, faultsOfLog } from '@/lib/fixtures/tlog'
import { day, readClock, secondsAfter } from '@/lib/kernel/runtime/clock'
import type { ClientPackage } from '@/lib/kernel/service/client-packages'
import { enqueueApproverPage, enqueueClientPackages } from './enqueue'

/**
 * Returns the kinds of the account's passkey entries, grouped by passkey. Checks that each entry has an audit event with its digest.
 * Only the entries of one passkey have an order.
 */
async function loggedKinds(ducklingId: string): Promise<string[]> {
  await appendNow()
  const entries = await db().logEntry.findMany({
    where: { ducklingId, passkeyId: { not: null } },
    orderBy: [{ passkeyId: 'asc' }, { index: 'asc' }],
  })
  const events = await db().auditEvent.findMany({
    where: { ducklingId, action: { in: ['passkey.registered', 'passkey.removed'] }, outcome: 'success' },
    orderBy: { seq: 'asc' },
  })
  const expected = events.map(({ action, targets, metadata }) => {
    const kind = action === 'passkey.registered' ? 'passkey_enrolled' : 'passkey_removed'
    const { log_digest } = metadata as { log_digest: string }
    const [passkey] = targets as { id: string }[]
    return { passkeyId: passkey?.id ?? '', data: entryText(kind, log_digest) }
  })
  const logged = entries.map(({ passkeyId, data }) => ({ passkeyId, data: String(Buffer.from(data)) }))
  expect(logged).toEqual(
    expected.toSorted(
      (left, right) => Number(left.passkeyId > right.passkeyId) - Number(left.passkeyId < right.passkeyId),
    ),
  )
  return entries.map(({ kind }) => kind)
}

async function withPasskey(): Promise<{ owner: ADuckling; passkey: Awaited<ReturnType<typeof aPasskey>> }> {
  const owner = await aDuckling()
  const passkey = await aPasskey(owner)
  await confirmWithPasskey(owner, passkey.authenticator)
  return { owner, passkey }
}

describe('a passkey that is added', () => {
  // security: database-7
  it('gets an entry with the digest of its account, credential id and public key', async () => {
    const { owner, passkey } = await withPasskey()
    expect(await loggedKinds(owner.id)).toEqual(['passkey_enrolled'])
    const { credentialId, publicKey } = await db().passkey.findUniqueOrThrow({ where: { id: passkey.id } })
    const key = Buffer.from(publicKey).toString('base64url')
    const digest = passkeyDigest({ ducklingId: owner.id, credentialId, publicKey: key })
    const entry = await db().logEntry.findFirstOrThrow({ where: { passkeyId: passkey.id } })
    expect(String(Buffer.from(entry.data))).toBe(entryText('passkey_enrolled', digest))
  })
})

describe('a passkey that is removed gets an entry with the same digest', () => {
  const both = ['passkey_enrolled', 'passkey_removed']

  it('when the owner removes it', async () => {
    const { owner, passkey } = await withPasskey()
    const removal = { token: owner.token, body: { passkey_id: passkey.id } }
    expect((await call('POST /beak/passkey/remove', removal)).status).toBe(200)
    expect(await loggedKinds(owner.id)).toEqual(both)
    const entries = await db().logEntry.findMany({ where: { passkeyId: passkey.id } })
    expect(new Set(entries.map(({ data }) => JSON.parse(String(Buffer.from(data))).digest)).size).toBe(1)
  })

  it('when a recovery removes it with other passkeys', async () => {
    const { owner } = await withPasskey()
    await aPasskey(owner)
    const token = await anotherSession(owner)
    expect((await call('POST /beak/passkey/recover', { token })).status).toBe(200)
    await finishRecoveries(secondsAfter(readClock(), day + 1))
    expect(await loggedKinds(owner.id)).toEqual([...both, ...both])
  })

  it('when the account is closed', async () => {
    const { owner } = await withPasskey()
    expect((await call('POST /beak/account/delete', { token: owner.token })).status).toBe(200)
    expect(await loggedKinds(owner.id)).toEqual(both)
  })

  it('when the first proof of the address removes it', async () => {
    const stranger = await aDuckling({ tier: 'T0' })
    await aPasskey(stranger)
    await call('POST /beak/signin/otp', { body: { email: stranger.email } })
    const otp = await codeFor(stranger.email)
    expect((await call('POST /beak/signin', { body: { email: stranger.email, otp } })).status).toBe(200)
    expect(await loggedKinds(stranger.id)).toEqual(both)
  })

  it('when a change of address is undone', async () => {
    const owner = await aDuckling()
    const token = await anotherSession(owner)
    const new_email = randomEmail()
    await call('POST /beak/email-change', { token, body: { new_email } })
    await call('POST /beak/email-change', { token, body: { new_email, otp: await codeFor(new_email) } })
    await aPasskey(through(owner, token))
    const text = (await sentTo(owner.email)).map((mail) => mail.text.replaceAll('\n', '')).join(' ')
    const link = decodeURIComponent(/\/email-undo\?token=([\w%-]+)/.exec(text)?.[1] ?? '')
    expect((await call('POST /beak/email-change/undo', { body: { token: link } })).status).toBe(200)
    expect(await loggedKinds(owner.id)).toEqual(both)
  })

  it('only when the transaction commits', async () => {
    const { owner } = await withPasskey()
    const context = await owner.context()
    const undone = transaction(async (tx) => {
      await deletePasskeys(tx, context, { ducklingId: owner.id })
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    expect(await loggedKinds(owner.id)).toEqual(['passkey_enrolled'])
  })
})

describe('an instance of 0.2.0 beside this version', () => {
  it('takes only passkeys, so decisions, uses and revocations keep the request that they are about', async () => {
    await appendNow()
    const owner = await aDuckling()
    const peck = await anApprovedPeck(await anAgent(owner), owner)
    await call('POST /beak/peck/consume', { body: { grant_token: peck.grant_token, params: {} } })
    await call('POST /beak/cert/issue', { token: owner.token })
    await call('POST /beak/cert/revoke', { token: owner.token, body: { reason: 'Moved' } })
    await aPasskey(owner)
    // What its writer does with the table that it knows.
    const taken = await db().rows<{ kind: string }>`DELETE FROM "LogPending" RETURNING "kind"::text`
    expect(new Set(taken.map(({ kind }) => kind))).toEqual(new Set(['passkey_enrolled']))
    await appendNow()
    const entries = await db().logEntry.findMany({
      where: { ducklingId: owner.id, subjectId: { not: null } },
    })
    expect(entries.map(({ kind }) => kind).sort()).toEqual(['decided', 'revoked', 'used'])
  })
})

describe('the migration', () => {
  it('enqueues passkeys that are older than the log, with the same digest', async () => {
    const { owner, passkey } = await withPasskey()
    const [enrolled] = await db().logPending.findMany({ where: { ducklingId: owner.id } })
    const path = 'prisma/migrations/20261121200000_stolen_keys_and_log/migration.sql'
    const [statement = ''] =
      /INSERT INTO "LogPending"[\s\S]*?FROM "Passkey"[^;]*;/.exec(readFileSync(path, 'utf8')) ?? []
    const replayed = await transaction(async (tx) => {
      await tx.run`DELETE FROM "LogPending"`
      await tx.run`${Prisma.raw(statement)}`
      const row = await tx.logPending.findFirstOrThrow({ where: { passkeyId: passkey.id } })
      throw Object.assign(new Error('undone'), { row })
    }).catch((error: { row: unknown }) => error.row)
    expect(enrolled?.passkeyId).toBe(passkey.id)
    expect(replayed).toEqual({ ...enrolled, id: expect.any(BigInt) })
  })
})

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
  // security: site-4
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

const aPackage = (name = 'beak-client-9.9.9.tgz'): ClientPackage => ({
  name,
  kind: 'typescript',
  sha256: randomBytes(32).toString('hex'),
  size: 1,
})

/** Returns the texts of the entries of some packages, after everything that is pending was logged. */
async function loggedPackages(...files: ClientPackage[]): Promise<string[]> {
  await appendNow()
  const entries = await db().logEntry.findMany({
    where: { kind: 'client_package', subjectId: { in: files.map(clientPackageDigest) } },
    orderBy: { index: 'asc' },
  })
  return entries.map(({ data }) => String(Buffer.from(data)))
}

describe('enqueueClientPackages', () => {
  it('logs each package once when many instances start at the same time, and not again after a restart', async () => {
    const files = [aPackage(), aPackage('beak_client-9.9.9-py3-none-any.whl')]
    const together = () => Promise.all(Array.from({ length: 20 }, () => enqueueClientPackages(files)))
    await together()
    const expected = files.map((file) => entryText('client_package', clientPackageDigest(file)))
    expect((await loggedPackages(...files)).sort()).toEqual(expected.sort())
    await together()
    expect(await loggedPackages(...files)).toHaveLength(2)
    expect(await faultsOfLog()).toEqual([])
  })

  // security: supply-6
  it('logs another file of the same name, so a host cannot swap a package without a trace', async () => {
    const [shown, swapped] = [aPackage(), aPackage()]
    await enqueueClientPackages([shown])
    await enqueueClientPackages([swapped])
    expect(await loggedPackages(shown, swapped)).toHaveLength(2)
  })

  it('has a digest that covers the name and the bytes of the package', () => {
    const file = aPackage()
    const digests = [file, { ...file, name: 'beak-dev-9.9.9.tgz' }, { ...file, sha256: 'ab'.repeat(32) }].map(
      clientPackageDigest,
    )
    expect(new Set(digests).size).toBe(3)
  })
})
