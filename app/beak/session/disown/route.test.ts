import { describe, expect, it } from 'vitest'
import { type Answer, call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { type ADuckling, aDuckling, randomEmail, through } from '@/lib/factories/ducklings'
import { codeFor, sentTo } from '@/lib/factories/outbox'
import { aPasskey, confirmWithPasskey } from '@/lib/factories/passkeys'
import { day, readClock, secondsAfter } from '@/lib/kernel/runtime/clock'

const disown = (token: string | undefined) => call('POST /beak/session/disown', { body: { token } })

async function signInByCode({ email }: Pick<ADuckling, 'email'>): Promise<string> {
  await call('POST /beak/signin/otp', { body: { email } })
  return (await call('POST /beak/signin', { body: { email, otp: await codeFor(email) } })).body.token
}

/** Returns the tokens of the links in the mails to an address, oldest first. */
async function linksTo({ email }: Pick<ADuckling, 'email'>): Promise<string[]> {
  await db().outbox.updateMany({ where: { kind: { startsWith: 'notice' } }, data: { dueAt: readClock() } })
  const texts = (await sentTo(email)).map(({ text }) => text)
  return [...texts.join('\n').matchAll(/\/not-me\?token=([\w%-]+)/g)].map(([, token = '']) =>
    decodeURIComponent(token),
  )
}

/** Signs in by code, and returns the session with the link of its alarm. */
async function anAlarm(owner: ADuckling): Promise<{ thief: ADuckling; link: string | undefined }> {
  const token = await signInByCode(owner)
  return { thief: through(owner, token), link: (await linksTo(owner)).at(-1) }
}

const isLive = async ({ token }: Pick<ADuckling, 'token'>) =>
  (await call('GET /beak/profile', { token })).status === 200

const refused = ({ status, body }: Answer) => [status, body.reason ?? body.code]

describe('200', () => {
  it('ends the session of the alarm and no other one, tells the owner, and removes its known device', async () => {
    const owner = await aDuckling()
    const { thief, link } = await anAlarm(owner)
    expect((await disown(link)).status).toBe(200)
    expect([await isLive(thief), await isLive(owner)]).toEqual([false, true])
    const [event] = await db().auditEvent.findMany({
      where: { ducklingId: owner.id, action: 'session.revoked' },
      select: { actorType: true, metadata: true },
    })
    expect(event).toEqual({ actorType: 'anonymous', metadata: { reason: 'alarm' } })
    const { body } = await call('GET /beak/profile/overview', { token: owner.token })
    expect(body.recent_changes).toMatchObject([{ change: 'session_disowned' }])
    const mails = (await sentTo(owner.email)).filter(({ kind }) => kind === 'sensitive_change')
    expect(mails.at(-1)?.text).toContain('A device was signed out with the link')
    expect(await db().deviceToken.count({ where: { ducklingId: owner.id, sessionId: { not: '' } } })).toBe(0)
  })

  // security: mail-7
  it('ends the session of a thief who added a passkey and confirmed the session with it', async () => {
    const owner = await aDuckling()
    const { thief, link } = await anAlarm(owner)
    const { authenticator } = await aPasskey(thief)
    await confirmWithPasskey(thief, authenticator)
    expect((await disown(link)).status).toBe(200)
    expect(await isLive(thief)).toBe(false)
  })

  it('ends the session of a thief whose passkey the owner has removed', async () => {
    const owner = await aDuckling()
    const { thief, link } = await anAlarm(owner)
    const { id, authenticator } = await aPasskey(thief)
    await confirmWithPasskey(thief, authenticator)
    await confirmWithPasskey(owner, authenticator)
    await call('POST /beak/passkey/remove', { token: owner.token, body: { passkey_id: id } })
    expect((await disown(link)).status).toBe(200)
    expect(await isLive(thief)).toBe(false)
  })

  // security: mail-6
  it('makes a recovery that starts in the next day, and one that is pending, take two days', async () => {
    for (const order of ['before', 'after'] as const) {
      const owner = await aDuckling()
      await aPasskey(owner)
      const { link } = await anAlarm(owner)
      if (order === 'after') await disown(link)
      const { body } = await call('POST /beak/passkey/recover', { token: await signInByCode(owner) })
      if (order === 'before') await disown(link)
      const recovery = await db().passkeyRecovery.findUniqueOrThrow({ where: { ducklingId: owner.id } })
      expect(recovery.dueAt).toEqual(secondsAfter(new Date(body.requested_at), 2 * day))
      const cancel = await db().mailLink.findFirstOrThrow({
        where: { ducklingId: owner.id, kind: 'recovery_cancel' },
      })
      expect(cancel.expiresAt).toEqual(recovery.dueAt)
    }
  })

  // security: mail-6
  it('succeeds once among 50 simultaneous calls', async () => {
    const owner = await aDuckling()
    const { link } = await anAlarm(owner)
    const answers = await Promise.all(Array.from({ length: 50 }, () => disown(link)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(new Set(answers.filter(({ status }) => status !== 200).map(({ body }) => body.code))).toEqual(
      new Set(['E4005']),
    )
    expect(await db().auditEvent.count({ where: { ducklingId: owner.id, action: 'session.revoked' } })).toBe(
      1,
    )
  })
})

describe('403', () => {
  // security: mail-6
  it('refuses a thief of the mailbox: no session that a passkey authenticated ends by a link', async () => {
    const owner = await aDuckling()
    const { authenticator } = await aPasskey(owner)
    // The owner signs in by code, and confirms the session with the passkey after the alarm.
    const { thief: session, link } = await anAlarm(owner)
    await confirmWithPasskey(session, authenticator)
    expect(refused(await disown(link))).toEqual([403, 'session_by_passkey'])
    expect(await isLive(session)).toBe(true)
    // The alarm about a sign-in by passkey has no link that ends the session.
    const before = await linksTo(owner)
    const options = (await call('POST /beak/passkey/login/options', { body: {} })).body
    const { body } = await call('POST /beak/passkey/login', {
      body: { credential: authenticator.get(options) },
    })
    expect(await linksTo(owner)).toEqual(before)
    expect(await isLive(body)).toBe(true)
  })
})

describe('404', () => {
  it('refuses a link that was used, is tampered with, is for something else, or has expired', async () => {
    const owner = await aDuckling()
    const { thief, link = '' } = await anAlarm(owner)
    const tampered = `${link.slice(0, -1)}${link.endsWith('0') ? '1' : '0'}`
    expect(refused(await disown(tampered))[0]).toBe(404)
    await aPasskey(owner)
    await call('POST /beak/passkey/recover', { token: await signInByCode(owner) })
    const text = (await sentTo(owner.email)).find(({ kind }) => kind === 'recovery_started')?.text ?? ''
    const keep = /\/keep-passkeys\?token=([\w-]+)/.exec(text)?.[1]
    expect((await disown(keep)).status).toBe(404)
    expect((await call('POST /beak/passkey/recover/cancel', { body: { token: link } })).status).toBe(404)
    expect(await isLive(thief)).toBe(true)
    await disown(link)
    expect((await disown(link)).status).toBe(404)
    const later = await anAlarm(owner)
    await db().mailLink.updateMany({ where: { kind: 'disown' }, data: { expiresAt: readClock() } })
    expect((await disown(later.link)).status).toBe(404)
    expect(await isLive(later.thief)).toBe(true)
  })

  it('ends no session of another account, and none after the address has changed', async () => {
    const [owner, other] = [await aDuckling(), await aDuckling()]
    const [{ link, thief }, others] = [await anAlarm(owner), await anAlarm(other)]
    await db().mailLink.updateMany({
      where: { kind: 'disown', ducklingId: owner.id },
      data: { ducklingId: other.id },
    })
    await disown(link)
    expect([await isLive(thief), await isLive(others.thief)]).toEqual([true, true])
    await db().duckling.update({ where: { id: other.id }, data: { email: randomEmail() } })
    expect((await disown(others.link)).status).toBe(404)
    expect(await isLive(others.thief)).toBe(true)
  })
})

describe('405', () => {
  // security: mail-6
  it('changes nothing when a mail scanner opens the link', async () => {
    const owner = await aDuckling()
    const { thief, link } = await anAlarm(owner)
    expect((await call(`GET /beak/session/disown?token=${link}`)).status).toBe(405)
    expect(await isLive(thief)).toBe(true)
    expect((await disown(link)).status).toBe(200)
  })
})
