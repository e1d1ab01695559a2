import { describe, expect, it } from 'vitest'
import { eventSentence, plainText } from '@/app/_web/event-sentence'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { finishRecoveries } from '@/lib/domain/revocation/prove-address'
import { aDuckling, anonymously, randomEmail } from '@/lib/factories/ducklings'
import { codeFor, sentTo } from '@/lib/factories/outbox'
import { aPasskey } from '@/lib/factories/passkeys'
import { anotherSession } from '@/lib/fixtures/accounts'
import { inServer } from '@/lib/fixtures/operator'
import { day, hour, readClock, secondsAfter } from '@/lib/kernel/runtime/clock'
import { signInWithLink } from './sign-in-link'

const run = inServer('account')

const tokenIn = (output: string) => new URL(output.split('\n')[0] ?? '').searchParams.get('token') ?? ''
const signIn = (token: string) => call('POST /beak/signin/link', { body: { token } })
/** Signs in as somebody would that many seconds later. */
const signInAfter = (token: string, seconds: number) =>
  signInWithLink(anonymously(secondsAfter(readClock(), seconds)), token)

async function created() {
  const email = randomEmail()
  const { code, output } = await run('create', email, '--name', 'Anna Weber')
  expect({ code, output }).toMatchObject({ code: 0 })
  return { email, output, token: tokenIn(output) }
}

/** An account with a passkey, whose sign-in link works in a day. */
async function recovered() {
  const owner = await aDuckling()
  const { authenticator } = await aPasskey(owner)
  const { code, output } = await run('recover', owner.email)
  expect({ code, output }).toMatchObject({ code: 0 })
  return { owner, authenticator, output, link: tokenIn(output) }
}

const invalid = { failure: 'link_invalid' }

describe('account create', () => {
  it('prints a link that signs in at once, with a name, and only a digest is stored', async () => {
    const { email, output, token } = await created()
    expect(output).toMatch(/\nThe link signs in to DUCK-\w+ once, within 7 days\./)
    expect(JSON.stringify(await db().signInLink.findMany())).not.toContain(token.slice(30))
    const { status, body } = await signIn(token)
    expect([status, body.trust_tier]).toEqual([200, 'T0'])
    const profile = (await call('GET /beak/profile', { token: body.token })).body
    expect(profile).toMatchObject({ email, full_name: 'Anna Weber', email_verified: false })
    // The address is proved with the code that the sign-in sends.
    const otp = await codeFor(email)
    expect((await call('POST /beak/verify-email', { token: body.token, body: { otp } })).status).toBe(200)
    const { items } = (await call('GET /beak/audit', { token: body.token })).body
    const words = items.map((event: Parameters<typeof eventSentence>[0]) =>
      plainText(eventSentence(event, { id: profile.duckling_id, names: {} })),
    )
    expect(words).toEqual(
      expect.arrayContaining([
        'The host created the account',
        'The host made a sign-in link for the account',
        'You signed in with a link of the host',
      ]),
    )
  })

  // security: backup-15
  it('lets exactly one of 50 simultaneous sign-ins succeed, and none after it', async () => {
    const { token } = await created()
    const answers = await Promise.all(Array.from({ length: 50 }, () => signIn(token)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const { status, body } of answers)
      if (status !== 200) expect([status, body.reason]).toEqual([404, 'link_invalid'])
    expect((await signIn(token)).body.reason).toBe('link_invalid')
  })

  // security: backup-15
  it('refuses an expired link, a wrong secret, another id, and what is no token, in the same way', async () => {
    const { token } = await created()
    await expect(signInAfter(token, 7 * day)).rejects.toMatchObject(invalid)
    const other = (await created()).token
    for (const wrong of [
      `${token.slice(0, -1)}${token.endsWith('0') ? '1' : '0'}`,
      `${token.slice(0, 30)}${other.slice(30)}`,
      'x',
      'DUCK-1',
    ])
      expect(await signIn(wrong)).toMatchObject({ status: 404, body: { reason: 'link_invalid' } })
    expect((await signIn(token)).status).toBe(200)
  })

  it('refuses a known address and a wrong one, and makes no second link for them', async () => {
    const { email } = await created()
    expect((await run('create', email)).output).toContain('has an account already')
    expect((await run('create', 'nobody')).output).toBe('"nobody" is not an email address.')
    expect((await run('create', randomEmail(), '--name', 'x'.repeat(200))).output).toMatch(/^--name /)
    const { id } = await db().duckling.findUniqueOrThrow({ where: { email } })
    expect(await db().signInLink.count({ where: { ducklingId: id } })).toBe(1)
  })

  it('does not sign in to a suspended or closed account, and a suspension does not use the link', async () => {
    const { email, token } = await created()
    await run('suspend', email)
    expect(await signIn(token)).toMatchObject({ status: 403, body: { reason: 'account_suspended' } })
    await run('resume', email)
    const { id } = await db().duckling.findUniqueOrThrow({ where: { email } })
    await run('close', email, '--yes')
    expect((await signIn(token)).body.reason).toBe('link_invalid')
    expect(await db().session.count({ where: { ducklingId: id } })).toBe(0)
  })
})

describe('account recover', () => {
  // security: backup-16
  it('works a day later and not before, removes the passkeys, and lets the person add one', async () => {
    const { owner, link, output } = await recovered()
    expect(output).toContain(`The link signs in to ${owner.id} once, from `)
    const early = await signIn(link)
    expect([early.status, early.body.reason]).toEqual([409, 'link_too_early'])
    expect(new Date(early.body.next_allowed_at).getTime()).toBeGreaterThan(
      readClock().getTime() + 23 * hour * 1000,
    )
    await expect(signInAfter(link, day - 60)).rejects.toMatchObject({ failure: 'link_too_early' })
    expect(await db().passkey.count({ where: { ducklingId: owner.id } })).toBe(1)
    const { token } = await signInAfter(link, day + 60)
    expect(await db().passkey.count({ where: { ducklingId: owner.id } })).toBe(0)
    expect((await call('POST /beak/passkey/register', { token })).status).toBe(200)
    await expect(signInAfter(link, day + 60)).rejects.toMatchObject(invalid)
  })

  it('also works when the worker has removed the passkeys before, and expires a day after that', async () => {
    const [first, second] = [await recovered(), await recovered()]
    await finishRecoveries(secondsAfter(readClock(), day + 1))
    await signInAfter(first.link, day + hour)
    await expect(signInAfter(second.link, 2 * day + 60)).rejects.toMatchObject(invalid)
  })

  // security: backup-16
  it('tells the address what the link does, with a page that cancels it and that a thief of the link cannot pass', async () => {
    const { owner, link } = await recovered()
    const overview = (await call('GET /beak/profile/overview', { token: owner.token })).body
    expect(overview.recovery.by_host).toBe(true)
    const mail = (await sentTo(owner.email)).find(({ kind }) => kind === 'sign_in_link_made')
    expect(mail?.subject).toBe('The host made a sign-in link for your account')
    expect(mail?.text).not.toContain(link)
    const cancel = decodeURIComponent(/keep-passkeys\?token=([\w%-]+)/.exec(mail?.text ?? '')?.[1] ?? '')
    expect((await call('POST /beak/passkey/recover/cancel', { body: { token: cancel } })).status).toBe(200)
    await expect(signInAfter(link, day + 60)).rejects.toMatchObject(invalid)
    expect(await db().passkey.count({ where: { ducklingId: owner.id } })).toBe(1)
  })

  // security: backup-16
  it('is cancelled by any living session, and by a suspension', async () => {
    const bySession = await recovered()
    const cancelled = await call('POST /beak/passkey/recover/cancel', {
      token: await anotherSession(bySession.owner),
      body: {},
    })
    expect(cancelled.status).toBe(200)
    await expect(signInAfter(bySession.link, day + 60)).rejects.toMatchObject(invalid)
    const bySuspension = await recovered()
    await run('suspend', bySuspension.owner.id)
    await run('resume', bySuspension.owner.id)
    await expect(signInAfter(bySuspension.link, day + 60)).rejects.toMatchObject(invalid)
  })

  it('of simultaneous cancelling and signing in, exactly one happens', async () => {
    for (const _ of [1, 2, 3]) {
      const { owner, link } = await recovered()
      await db().passkeyRecovery.update({ where: { ducklingId: owner.id }, data: { dueAt: readClock() } })
      await db().signInLink.update({ where: { ducklingId: owner.id }, data: { worksFrom: readClock() } })
      const [cancel, sign] = await Promise.all([
        call('POST /beak/passkey/recover/cancel', { token: owner.token, body: {} }),
        signIn(link),
      ])
      expect([cancel.status, sign.status].filter((status) => status === 200)).toHaveLength(1)
    }
  })

  // security: backup-16
  it('gives a thief of the mailbox no link, and waits for a removal of passkeys that waits already', async () => {
    const { owner, link } = await recovered()
    const texts = (await sentTo(owner.email)).map(({ text }) => text).join('\n')
    expect(texts).not.toMatch(/signin\/link|SIL-/)
    expect((await run('recover', owner.id)).output).toContain('A removal of passkeys waits')
    await signInAfter(link, day + 60)
  })

  it('works for an account without passkeys, without words about passkeys', async () => {
    const owner = await aDuckling()
    const link = tokenIn((await run('recover', owner.id)).output)
    await signInAfter(link, day + 60)
    expect((await sentTo(owner.email)).filter(({ kind }) => kind === 'passkeys_removed')).toEqual([])
  })

  it('is refused for suspended, closed and unknown accounts', async () => {
    const owner = await aDuckling()
    await run('suspend', owner.id)
    expect((await run('recover', owner.id)).output).toContain('is suspended. Resume it first.')
    await run('close', owner.id, '--yes')
    expect((await run('recover', owner.id)).output).toContain('is closed')
    expect((await run('recover', randomEmail())).output).toContain('No account is called')
    expect(await db().signInLink.count({ where: { ducklingId: owner.id } })).toBe(0)
  })
})
