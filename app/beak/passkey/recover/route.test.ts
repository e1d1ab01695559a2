import { beforeEach, describe, expect, it } from 'vitest'
import { type Answer, call, callRaw } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { finishRecoveries } from '@/lib/domain/revocation/prove-address'
import { anAgent } from '@/lib/factories/agents'
import { type ADuckling, aDuckling, randomEmail } from '@/lib/factories/ducklings'
import { codeFor, type SentMessage, sentTo } from '@/lib/factories/outbox'
import { type APasskey, aPasskey, confirmWithPasskey } from '@/lib/factories/passkeys'
import { anotherSession } from '@/lib/fixtures/accounts'
import { aWebhook } from '@/lib/fixtures/webhooks'
import { day, hour, minute, readClock, secondsAfter } from '@/lib/kernel/runtime/clock'

let owner: ADuckling
let passkey: APasskey
/** A session that has just started with a code. */
let token: string
beforeEach(async () => {
  owner = await aDuckling()
  passkey = await aPasskey(owner)
  token = await anotherSession(owner)
})

const recover = (by = token): Promise<Answer> => call('POST /beak/passkey/recover', { token: by })
const cancel = (options: Parameters<typeof call>[1]) => call('POST /beak/passkey/recover/cancel', options)
const list = async () => (await call('GET /beak/passkey/list', { token })).body
const started = (messages: SentMessage[]) => messages.filter(({ kind }) => kind === 'recovery_started')

async function linkTo(address: string): Promise<string> {
  const text =
    started(await sentTo(address))
      .at(-1)
      ?.text.replaceAll('\n', '') ?? ''
  return decodeURIComponent(/\/keep-passkeys\?token=([\w%-]+)/.exec(text)?.[1] ?? '')
}

async function eventsLike(prefix: string): Promise<{ action: string; outcome: string; actorType: string }[]> {
  return db().auditEvent.findMany({
    where: { ducklingId: owner.id, action: { startsWith: prefix } },
    orderBy: { seq: 'asc' },
    select: { action: true, outcome: true, actorType: true },
  })
}

const recoveryEvents = async () =>
  (await eventsLike('passkey.recover')).map(({ action, outcome }) => `${action} ${outcome}`)

/** Runs the worker's job as if that many seconds had passed. */
const later = (seconds: number) => finishRecoveries(secondsAfter(readClock(), seconds))

describe('200', () => {
  // security: mail-3
  it('is pending for 24 hours, then removes every passkey', async () => {
    await confirmWithPasskey(owner, passkey.authenticator)
    const second = await aPasskey(owner, { name: 'Second' })
    const { status, body } = await recover()
    expect([status, body.status]).toEqual([200, 'pending'])
    expect(Object.keys(body).sort()).toEqual(['by_host', 'removes_at', 'requested_at', 'status'])
    expect(Date.parse(body.removes_at) - Date.parse(body.requested_at)).toBe(day * 1000)
    await later(day - minute)
    expect((await list()).items).toHaveLength(2)
    await later(day + 1)
    expect(await list()).toEqual({ items: [], next_cursor: null, recovery: null })
    const removed = await db().auditEvent.findMany({
      where: { ducklingId: owner.id, action: 'passkey.removed' },
      orderBy: { seq: 'asc' },
    })
    expect(removed.map(({ targets }) => targets)).toEqual(
      [passkey.id, second.id].map((id) => [{ type: 'passkey', id }]),
    )
    expect(await recoveryEvents()).toEqual(['passkey.recovery_started success', 'passkey.recovered success'])
    expect((await eventsLike('passkey.recovered'))[0]?.actorType).toBe('system')
    await db().outbox.updateMany({ where: { kind: 'notice' }, data: { dueAt: readClock() } })
    const mails = await sentTo(owner.email)
    expect(mails.filter(({ kind }) => kind === 'passkeys_removed')).toHaveLength(1)
  })

  it('allows sensitive changes after a recent sign-in again, when it is finished', async () => {
    await recover()
    expect((await call('GET /beak/account/export', { token })).body.required).toBe('passkey')
    await later(day + 1)
    expect((await call('GET /beak/account/export', { token })).status).toBe(200)
  })

  it('returns the pending recovery unchanged when it is called again', async () => {
    const first = await recover()
    const again = await recover(await anotherSession(owner))
    expect(again.body).toEqual(first.body)
    expect(await recoveryEvents()).toEqual(['passkey.recovery_started success'])
    expect(started(await sentTo(owner.email))).toHaveLength(1)
  })

  it('starts one recovery for 50 simultaneous calls', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => recover()))
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1)
    expect(answers.every(({ status }) => status === 200)).toBe(true)
    expect(await recoveryEvents()).toEqual(['passkey.recovery_started success'])
    expect(await db().mailLink.count({ where: { ducklingId: owner.id } })).toBe(1)
  })
})

describe('the start of a recovery', () => {
  it('mails a link to the address of the account, and stores no token', async () => {
    await recover()
    const [mail, ...others] = started(await sentTo(owner.email))
    expect(others).toEqual([])
    const removesAt: string = (await list()).recovery.removes_at
    expect(mail?.text).toContain(`${removesAt.slice(0, 16).replace('T', ' ')} UTC`)
    const linked = await linkTo(owner.email)
    expect(linked).toMatch(/^LNK-[0-9A-Z]{78}$/)
    const rows = await db().rows<{ row: string }>`SELECT l::text AS row FROM "MailLink" l`
    expect(JSON.stringify(rows)).not.toContain(linked.slice(-52))
  })

  // security: mail-3
  it('mails a link to every earlier address that can undo a change', async () => {
    const newEmail = randomEmail()
    await confirmWithPasskey(owner, passkey.authenticator)
    await call('POST /beak/email-change', { token: owner.token, body: { new_email: newEmail } })
    const otp = await codeFor(newEmail)
    await call('POST /beak/email-change', { token: owner.token, body: { new_email: newEmail, otp } })
    await recover()
    for (const address of [owner.email, newEmail]) expect(started(await sentTo(address))).toHaveLength(1)
    expect((await cancel({ body: { token: await linkTo(owner.email) } })).status).toBe(200)
    expect((await list()).recovery).toBeNull()
  })

  it('enqueues a text message only when the account has a verified phone', async () => {
    const texts = () =>
      db().outbox.count({ where: { kind: 'text', payload: { path: ['duckling_id'], equals: owner.id } } })
    await recover()
    expect(await texts()).toBe(0)
    await cancel({ token })
    await db().duckling.update({
      where: { id: owner.id },
      data: { phone: '+14155550100', phoneVerifiedAt: readClock() },
    })
    await recover()
    expect(await texts()).toBe(1)
  })

  it('enqueues a webhook, as do the other steps', async () => {
    await aWebhook('http://127.0.0.1:9/nobody-listens', { owner })
    const { body } = await recover()
    await cancel({ token })
    await recover()
    await later(day + 1)
    const messages = await db().webhookMessage.findMany({
      where: { ducklingId: owner.id, type: { startsWith: 'passkey.recover' } },
      orderBy: { id: 'asc' },
    })
    expect(messages.map(({ type }) => type)).toEqual([
      'passkey.recovery_started',
      'passkey.recovery_cancelled',
      'passkey.recovery_started',
      'passkey.recovered',
    ])
    const { requested_at, removes_at } = body
    expect(messages[0]?.data).toEqual({ duckling_id: owner.id, requested_at, removes_at })
  })

  it('is shown in the list of passkeys and the export of every session', async () => {
    expect((await list()).recovery).toBeNull()
    const { requested_at, removes_at } = (await recover()).body
    const recovery = { requested_at, removes_at, by_host: false }
    const seen = await call('GET /beak/passkey/list', { token: owner.token })
    expect(seen.body.recovery).toEqual(recovery)
    await confirmWithPasskey(owner, passkey.authenticator)
    const exported = await call('GET /beak/account/export', { token: owner.token })
    expect(exported.body.passkey_recovery).toEqual(recovery)
    expect(exported.body.mail_links).toMatchObject([
      { purpose: 'recovery_cancel', address: owner.email, expires_at: removes_at, used_at: null },
    ])
  })

  it('is sent to the event stream, as are the other steps', async () => {
    const response = await callRaw('GET /beak/peck/stream', { token: owner.token })
    const reader = response.body?.getReader()
    const next = async () => new TextDecoder().decode((await reader?.read())?.value)
    expect(await next()).toContain('event: ready')
    const { removes_at } = (await recover()).body
    const event = (status: string, at: string) =>
      `event: passkey_recovery\ndata: ${JSON.stringify({ status, removes_at: at })}\n\n`
    expect(await next()).toBe(event('pending', removes_at))
    await cancel({ token })
    expect(await next()).toBe(event('cancelled', removes_at))
    const again = (await recover()).body.removes_at
    expect(await next()).toBe(event('pending', again))
    await later(day + 1)
    expect(await next()).toBe(event('done', again))
    await reader?.cancel()
  })

  it('mails at most once in ten minutes, and not when the recovery was cancelled before', async () => {
    await recover()
    expect(started(await sentTo(owner.email))).toHaveLength(1)
    for (let round = 0; round < 3; round++) {
      await cancel({ token })
      await recover()
    }
    expect(started(await sentTo(owner.email))).toHaveLength(1)
    const where = { kind: 'link', payload: { path: ['link_id'], string_starts_with: 'LNK-' } }
    const due = await db().outbox.findMany({ where })
    for (const { dueAt } of due)
      expect(dueAt.getTime()).toBeGreaterThan(secondsAfter(readClock(), 9 * minute).getTime())
    await db().outbox.updateMany({ where, data: { dueAt: readClock() } })
    expect(started(await sentTo(owner.email))).toHaveLength(2)
    expect((await cancel({ body: { token: await linkTo(owner.email) } })).status).toBe(200)
  })
})

describe('POST /beak/passkey/recover/cancel', () => {
  it('accepts any session of the account without a proof', async () => {
    await recover()
    await db().session.updateMany({
      where: { ducklingId: owner.id },
      data: { authTime: secondsAfter(readClock(), -hour) },
    })
    expect((await cancel({ token: owner.token })).body).toEqual({ success: true })
    await later(2 * day)
    expect((await list()).items).toHaveLength(1)
    expect(await recoveryEvents()).toEqual([
      'passkey.recovery_started success',
      'passkey.recovery_cancelled success',
    ])
    expect((await sentTo(owner.email)).filter(({ kind }) => kind === 'recovery_cancelled')).toHaveLength(1)
  })

  it('accepts the mailed link once, without a session', async () => {
    await recover()
    const linked = await linkTo(owner.email)
    expect((await cancel({ body: { token: linked } })).body).toEqual({ success: true })
    expect((await list()).recovery).toBeNull()
    expect((await eventsLike('passkey.recovery_cancelled'))[0]?.actorType).toBe('anonymous')
    const again = await cancel({ body: { token: linked } })
    expect([again.status, again.body.code]).toEqual([404, 'E4005'])
  })

  it('cancels for the account of the link when another duckling is signed in', async () => {
    await recover()
    const other = await aDuckling()
    const linked = await linkTo(owner.email)
    expect((await cancel({ token: other.token, body: { token: linked } })).status).toBe(200)
    expect((await list()).recovery).toBeNull()
  })

  // security: mail-3
  it('succeeds once among 50 simultaneous calls by session and link', async () => {
    await recover()
    const linked = await linkTo(owner.email)
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        cancel(index % 2 === 0 ? { token } : { body: { token: linked } }),
      ),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 404)).toHaveLength(49)
    expect((await recoveryEvents()).filter((event) => event.endsWith('cancelled success'))).toHaveLength(1)
  })

  it('or the removal succeeds, never both, when they run at the same time', async () => {
    for (let round = 0; round < 3; round++) {
      await db().passkey.deleteMany({ where: { ducklingId: owner.id } })
      owner = await aDuckling()
      await aPasskey(owner)
      token = await anotherSession(owner)
      await recover()
      const [answer] = await Promise.all([cancel({ token }), later(day + 1), later(day + 1)])
      const [, ...ends] = await recoveryEvents()
      const { items } = await list()
      const expected =
        answer.status === 200 ? ['passkey.recovery_cancelled success', 1] : ['passkey.recovered success', 0]
      const outcome = ends.filter((event) => event.endsWith('success'))
      expect([...outcome, items.length]).toEqual(expected)
    }
  })
})

describe('400', () => {
  it('is returned when cancel gets neither session nor token', async () => {
    const { status, body } = await cancel({})
    expect([status, body.errors[0].field]).toEqual([400, 'token'])
  })
})

describe('403', () => {
  const refusal = ({ status, body }: Answer) => [status, body.code, body.required]

  it('is returned when the session started with a passkey, a password or the sign-up', async () => {
    const { body } = await call('POST /beak/passkey/login/options')
    const signedIn = await call('POST /beak/passkey/login', {
      body: { credential: passkey.authenticator.get(body) },
    })
    for (const by of [signedIn.body.token, owner.token])
      expect(refusal(await recover(by))).toEqual([403, 'E4009', 'fresh_sign_in'])
    await db().session.updateMany({ where: { ducklingId: owner.id }, data: { amr: ['pwd'] } })
    expect(refusal(await recover())).toEqual([403, 'E4009', 'fresh_sign_in'])
    expect(await recoveryEvents()).toEqual(Array(3).fill('passkey.recovery_started denied'))
  })

  it('is returned when the sign-in by code is older than ten minutes', async () => {
    const setSignInAgo = (seconds: number) =>
      db().session.updateMany({
        where: { ducklingId: owner.id },
        data: { authTime: secondsAfter(readClock(), -seconds) },
      })
    await setSignInAgo(10 * minute + 1)
    expect(refusal(await recover())).toEqual([403, 'E4009', 'fresh_sign_in'])
    await setSignInAgo(10 * minute - 5)
    expect((await recover()).status).toBe(200)
  })

  it('is returned when an agent starts or cancels', async () => {
    const { beakKey } = await anAgent(owner)
    await recover()
    for (const line of ['POST /beak/passkey/recover', 'POST /beak/passkey/recover/cancel']) {
      const { status, body } = await call(line, { key: beakKey })
      expect([status, body.code]).toEqual([403, 'E4007'])
    }
    expect((await list()).recovery).not.toBeNull()
  })
})

describe('404', () => {
  const refusal = ({ status, body }: Answer) => [status, body.code, body.detail]

  it('is returned when no removal is pending', async () => {
    expect(refusal(await cancel({ token }))).toEqual([404, 'E4005', 'No removal of passkeys is pending.'])
    await recover()
    const linked = await linkTo(owner.email)
    await cancel({ token })
    expect((await cancel({ body: { token: linked } })).body.detail).toBe('No removal of passkeys is pending.')
  })

  it('is returned for a token that is unknown, wrong, expired, or of another kind of link', async () => {
    await recover()
    const linked = await linkTo(owner.email)
    const wrong = `${linked.slice(0, -1)}${linked.endsWith('0') ? '1' : '0'}`
    for (const bad of ['x', wrong, `LNK-${'0'.repeat(78)}`])
      expect((await cancel({ body: { token: bad } })).body.detail).toBe('This link has expired or was used.')
    const asUndo = await call('POST /beak/email-change/undo', { body: { token: linked } })
    expect(asUndo.status).toBe(404)
    await db().mailLink.updateMany({ where: { ducklingId: owner.id }, data: { expiresAt: readClock() } })
    expect((await cancel({ body: { token: linked } })).status).toBe(404)
    expect((await list()).recovery).not.toBeNull()
  })

  it('is returned after the account was closed, which deletes recovery and links', async () => {
    await recover()
    const linked = await linkTo(owner.email)
    await confirmWithPasskey(owner, passkey.authenticator)
    expect((await call('POST /beak/account/delete', { token: owner.token })).status).toBe(200)
    const where = { ducklingId: owner.id }
    expect([await db().passkeyRecovery.count({ where }), await db().mailLink.count({ where })]).toEqual([
      0, 0,
    ])
    expect((await cancel({ body: { token: linked } })).status).toBe(404)
    await later(2 * day)
  })
})

describe('409', () => {
  it('is returned when the account has no passkey', async () => {
    const other = await aDuckling()
    const { status, body } = await recover(await anotherSession(other))
    expect([status, body.code]).toEqual([409, 'E4008'])
  })
})
