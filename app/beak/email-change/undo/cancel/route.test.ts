/** An owner who left a stolen mailbox is not pulled back by the link in it (contract F, Undo of a change of address). */
import { beforeEach, describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { finishUndos } from '@/lib/domain/identity/undo-email-change'
import { startSignIn } from '@/lib/domain/passkeys/sign-in'
import type { Authenticator } from '@/lib/factories/authenticator'
import { type ADuckling, aDuckling, anonymously, through } from '@/lib/factories/ducklings'
import { sentTo } from '@/lib/factories/outbox'
import { aPasskey, confirmWithPasskey } from '@/lib/factories/passkeys'
import { anotherSession, changeAddress, undoLinkTo } from '@/lib/fixtures/accounts'
import { day, hour, readClock, secondsAfter } from '@/lib/kernel/runtime/clock'

const undo = (token: string) => call('POST /beak/email-change/undo', { body: { token } })
const cancel = (token: string) => call('POST /beak/email-change/undo/cancel', { token, body: {} })

let owner: ADuckling
let authenticator: Authenticator
beforeEach(async () => {
  owner = await aDuckling()
  authenticator = await anOldPasskey()
})

const haveHadIt = (id: string, seconds: number) =>
  db().passkey.update({ where: { id }, data: { createdAt: secondsAfter(readClock(), -seconds) } })

/** A passkey that the owner has had for two days. */
async function anOldPasskey(): Promise<Authenticator> {
  const made = await aPasskey(owner)
  await haveHadIt(made.id, 2 * day)
  return made.authenticator
}

/** The owner changes the address, confirmed with a passkey. Returns the new address. */
async function flee(using = authenticator): Promise<string> {
  await confirmWithPasskey(owner, using)
  return changeAddress(owner)
}

const addressNow = async () => (await db().duckling.findUniqueOrThrow({ where: { id: owner.id } })).email
/** Lets the waiting day end and runs the chore of the worker. */
async function finishDay(): Promise<void> {
  const waiting = { ducklingId: owner.id, dueAt: { not: null } }
  await db().mailLink.updateMany({ where: waiting, data: { dueAt: readClock() } })
  await finishUndos(readClock())
}
const overview = async () => (await call('GET /beak/profile/overview', { token: owner.token })).body

describe('the link in the mailbox that the owner left', () => {
  // security: mail-10
  it('changes nothing for a day, and tells the owner', async () => {
    const newEmail = await flee()
    const { status, body } = await undo(await undoLinkTo(owner.email))
    expect([status, body.success]).toEqual([200, true])
    const wait = Date.parse(body.restores_at) - readClock().getTime()
    expect(wait / 1000).toBeGreaterThan(day - hour)
    expect(await addressNow()).toBe(newEmail)
    expect((await overview()).email_undo).toEqual({ restores_at: body.restores_at })
    const kinds = (await sentTo(newEmail)).map(({ kind }) => kind)
    expect(kinds).toContain('email_restore_started')
    await finishUndos(readClock())
    expect(await addressNow()).toBe(newEmail)
  })

  it('restores the address after a day that nobody cancelled', async () => {
    await flee()
    await undo(await undoLinkTo(owner.email))
    await finishDay()
    expect(await addressNow()).toBe(owner.email)
    expect((await call('GET /beak/profile', { token: owner.token })).status).toBe(401)
  })

  it('still waits for the same time after 50 simultaneous uses, and is announced once', async () => {
    await flee()
    const link = await undoLinkTo(owner.email)
    const answers = await Promise.all(Array.from({ length: 50 }, () => undo(link)))
    expect(new Set(answers.map(({ body }) => body.restores_at)).size).toBe(1)
    const where = { ducklingId: owner.id, action: 'duckling.email_restore_started' }
    expect(await db().auditEvent.count({ where })).toBe(1)
  })

  it('waits even when a sign-in with the old passkey confirmed the change', async () => {
    const credential = authenticator.get(await startSignIn(anonymously()))
    const signedIn = await call('POST /beak/passkey/login', { body: { credential } })
    const newEmail = await changeAddress(through(owner, signedIn.body.token))
    await undo(await undoLinkTo(owner.email))
    expect(await addressNow()).toBe(newEmail)
  })

  it('says in its mail that the undo waits', async () => {
    await flee()
    const mail = (await sentTo(owner.email)).find(({ kind }) => kind === 'email_changed')
    expect(mail?.text.replaceAll('\n', ' ')).toContain('it takes one day until your address is back')
  })

  it('keeps the address reserved while it waits', async () => {
    await flee()
    await undo(await undoLinkTo(owner.email))
    const body = { email: owner.email, display_name: 'Heir' }
    expect((await call('POST /beak/signup', { body })).status).toBe(409)
  })
})

describe('a thief who changed the address', () => {
  // security: mail-11
  it('gains no day with a passkey that was added shortly before', async () => {
    owner = await aDuckling()
    const { authenticator: others, id } = await aPasskey(through(owner, await anotherSession(owner)))
    await haveHadIt(id, hour)
    await flee(others)
    expect((await undo(await undoLinkTo(owner.email))).body.restores_at).toBeNull()
    expect(await addressNow()).toBe(owner.email)
  })

  it('gains no day without a passkey', async () => {
    owner = await aDuckling()
    await changeAddress(through(owner, await anotherSession(owner)))
    expect((await undo(await undoLinkTo(owner.email))).body.restores_at).toBeNull()
  })
})

describe('200', () => {
  // security: mail-10
  it('keeps the new address, and the link works no more', async () => {
    const newEmail = await flee()
    const link = await undoLinkTo(owner.email)
    await undo(link)
    const { status, body } = await cancel(owner.token)
    expect([status, body]).toEqual([200, { success: true }])
    expect((await undo(link)).status).toBe(404)
    await finishDay()
    expect(await addressNow()).toBe(newEmail)
    expect((await overview()).email_undo).toBeNull()
    const kinds = (await sentTo(newEmail)).map(({ kind }) => kind)
    expect(kinds).toContain('email_restore_cancelled')
  })

  it('cancels once for 50 simultaneous calls', async () => {
    await flee()
    await undo(await undoLinkTo(owner.email))
    const answers = await Promise.all(Array.from({ length: 50 }, () => cancel(owner.token)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 404)).toHaveLength(49)
  })

  // security: mail-10
  it('either cancels or restores when both happen at the same time', async () => {
    const newEmail = await flee()
    await undo(await undoLinkTo(owner.email))
    const [answer] = await Promise.all([cancel(owner.token), finishDay()])
    expect([200, 401, 404]).toContain(answer.status)
    expect(await addressNow()).toBe(answer.status === 200 ? newEmail : owner.email)
  })
})

describe('403', () => {
  it('needs a passkey in the last 10 minutes', async () => {
    await flee()
    await undo(await undoLinkTo(owner.email))
    const { status, body } = await cancel(await anotherSession(owner))
    expect([status, body.reason, body.required]).toEqual([403, 'fresh_passkey_needed', 'passkey'])
  })

  // security: mail-11
  it('refuses a passkey that was added after the change', async () => {
    await flee()
    await undo(await undoLinkTo(owner.email))
    const { authenticator: newer } = await aPasskey(owner)
    const session = through(owner, await anotherSession(owner))
    await confirmWithPasskey(session, newer)
    const { status, body } = await cancel(session.token)
    expect([status, body.reason]).toEqual([403, 'older_passkey_needed'])
  })
})

describe('404', () => {
  it('refuses when no undo is pending', async () => {
    await flee()
    const { status, body } = await cancel(owner.token)
    expect([status, body.reason]).toEqual([404, 'undo_not_pending'])
  })

  it('leaves the undo of another account', async () => {
    await flee()
    await undo(await undoLinkTo(owner.email))
    const stranger = await aDuckling()
    expect((await cancel(stranger.token)).status).toBe(404)
    expect((await overview()).email_undo).not.toBeNull()
  })
})
