import { afterEach, describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { table } from '@/app/beak/_api/table'
import { db } from '@/lib/db/client'
import { anAgent } from '@/lib/factories/agents'
import { aDuckling, randomAddress, randomEmail } from '@/lib/factories/ducklings'
import { codeFor, sentTo } from '@/lib/factories/outbox'
import { config, useConfig as replaceConfig } from '@/lib/kernel/config'
import type { SignUpPolicy } from '@/lib/kernel/config/sign-up-policy'
import { readClock } from '@/lib/kernel/runtime/clock'
import { makeSignUpPasses, passSeconds } from './create-by-host'

const configured = config()
afterEach(() => replaceConfig(configured))

const withPolicy = (signUp: SignUpPolicy) => replaceConfig({ signUp })

const signUp = (email: string, more: Record<string, string> = {}) =>
  call('POST /beak/signup', { body: { email, display_name: 'Gadwall', ...more } })

/** The parts of an answer that must not depend on whether somebody has the address. */
const seen = ({ status, body }: Awaited<ReturnType<typeof signUp>>) => ({
  status,
  code: body.code,
  reason: body.reason,
  detail: body.detail,
  action: body.action,
})

async function aPass(email: string, now = readClock()): Promise<string> {
  const [link = ''] = await makeSignUpPasses([{ email, name: 'Gadwall' }], now)
  return new URL(link).searchParams.get('pass') ?? ''
}

describe('SIGNUP=closed', () => {
  // security: stranger-7
  it('refuses known and unknown addresses alike, mails nobody and makes nothing', async () => {
    const { email: known } = await aDuckling()
    const unknown = randomEmail()
    const pass = await aPass(unknown)
    const mails = (await sentTo(known)).length
    withPolicy({ mode: 'closed' })
    const refused = await signUp(unknown)
    expect(seen(refused)).toMatchObject({ status: 403, code: 'E4007', reason: 'sign_up_closed' })
    expect(seen(await signUp(known))).toEqual(seen(refused))
    expect(seen(await signUp(unknown, { sign_up_pass: pass }))).toEqual(seen(refused))
    expect(seen(await signUp(known, { password: 'gently paddling upstream' }))).toEqual(seen(refused))
    expect(await db().duckling.count({ where: { email: unknown } })).toBe(0)
    expect((await sentTo(known)).length).toBe(mails)
  })
})

describe('SIGNUP=pass', () => {
  // security: stranger-7
  it('refuses every pass that is not for the address, known or not, with the same answer', async () => {
    const { email: known } = await aDuckling()
    const [email, other] = [randomEmail(), randomEmail()]
    const old = new Date(readClock().getTime() - (passSeconds + 1) * 1000)
    const [expired, foreign] = [await aPass(email, old), await aPass(other)]
    withPolicy({ mode: 'pass' })
    const refused = seen(await signUp(email))
    expect(refused).toMatchObject({ status: 403, code: 'E4007', reason: 'sign_up_pass_invalid' })
    const wrong = `${foreign.slice(0, -1)}${foreign.endsWith('0') ? '1' : '0'}`
    for (const sign_up_pass of [expired, foreign, 'anything', `SUP-${'0'.repeat(78)}`])
      expect(seen(await signUp(email, { sign_up_pass }))).toEqual(refused)
    expect(seen(await signUp(other, { sign_up_pass: wrong }))).toEqual(refused)
    for (const sign_up_pass of [foreign, '']) {
      const { status, body } = await signUp(known, sign_up_pass === '' ? {} : { sign_up_pass })
      expect([status, body.reason]).toEqual([403, 'sign_up_pass_invalid'])
    }
    expect((await signUp(other, { sign_up_pass: foreign })).status).toBe(200)
  })

  // security: stranger-7
  it('lets one of 50 simultaneous sign-ups in, and nobody afterwards', async () => {
    const email = randomEmail()
    const sign_up_pass = await aPass(email)
    withPolicy({ mode: 'pass' })
    const answers = await Promise.all(
      Array.from({ length: 50 }, () =>
        call('POST /beak/signup', {
          body: { email, display_name: 'Gadwall', sign_up_pass },
          from: randomAddress(),
        }),
      ),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status !== 200 && status !== 403)).toEqual([])
    expect(await db().signUpPass.count({ where: { email } })).toBe(0)
    expect((await signUp(email, { sign_up_pass })).body.reason).toBe('sign_up_pass_invalid')
  })

  it('keeps a pass whose address has an account: the person signs in', async () => {
    const { email } = await aDuckling()
    const sign_up_pass = await aPass(email)
    withPolicy({ mode: 'pass' })
    for (let turn = 0; turn < 2; turn++) expect((await signUp(email, { sign_up_pass })).status).toBe(409)
    expect(await db().signUpPass.count({ where: { email } })).toBe(1)
  })
})

describe('SIGNUP=domains', () => {
  it('lets in addresses of exactly these domains, and others with a pass', async () => {
    const { email: known } = await aDuckling()
    withPolicy({ mode: 'domains', domains: ['pond.example', 'lake.example'] })
    const at = (domain: string) => randomEmail().replace('example.com', domain)
    expect((await signUp(at('pond.example'))).status).toBe(200)
    expect((await signUp(at('LAKE.example'))).status).toBe(200)
    for (const domain of ['sub.pond.example', 'pond.example.evil.example', 'evilpond.example', 'example'])
      expect([403, 400]).toContain((await signUp(at(domain))).status)
    const unknown = randomEmail()
    expect(seen(await signUp(known))).toEqual(seen(await signUp(unknown)))
    expect((await signUp(unknown)).body.reason).toBe('sign_up_domain_refused')
    expect((await signUp(unknown, { sign_up_pass: await aPass(unknown) })).status).toBe(200)
  })
})

describe('an account whose address is not proved, where not everybody may sign up', () => {
  const open = new Set(['POST /beak/verify-email', 'POST /beak/verify-email/resend', 'POST /beak/signout'])
  const own = new Set(['GET /beak/profile', 'GET /beak/profile/overview'])

  // security: stranger-7
  it('is refused by every endpoint that needs a credential, but those that prove the address, show the account and sign out', async () => {
    const duckling = await aDuckling({ tier: 'T0' })
    withPolicy({ mode: 'domains', domains: ['example.com'] })
    const wrong: string[] = []
    let count = 0
    for (const [path, module] of Object.entries(table))
      for (const [method, route] of Object.entries(module)) {
        const { definition } = route as { definition?: { auth: string; limit: string | null } }
        const line = `${method} ${path}`
        // What takes a beak key alone is in the next test.
        if (!definition || /^none$|-key$/.test(definition.auth) || open.has(line)) continue
        count++
        const { status, body } = await call(`${method} ${path.replace(/\*$|:\w+$/, 'x')}`, {
          token: duckling.token,
          ...(method === 'GET' ? {} : { body: {} }),
        })
        const expected = own.has(line) ? status === 200 : body?.reason === 'address_unproved'
        if (!expected) wrong.push(`${line}: ${status} ${body?.reason}`)
      }
    expect(wrong).toEqual([])
    expect(count).toBeGreaterThan(50)
  })

  it('cannot act through an agent that it registered before', async () => {
    const duckling = await aDuckling({ tier: 'T0' })
    const agent = await anAgent(duckling)
    const act = () =>
      call('POST /beak/agent/token', { key: agent.beakKey, body: { audience: 'https://lake.example' } })
    expect((await act()).status).toBe(200)
    withPolicy({ mode: 'closed' })
    expect((await act()).body.reason).toBe('address_unproved')
  })

  it('can do everything after it has proved its address, also with a sign-in by code', async () => {
    const [duckling, other] = [await aDuckling({ tier: 'T0' }), await aDuckling({ tier: 'T0' })]
    withPolicy({ mode: 'closed' })
    const list = (token: string) => call('GET /beak/agent/list', { token })
    const asked = readClock()
    await call('POST /beak/signin/otp', { body: { email: other.email } })
    const otp = await codeFor(other.email, asked)
    const { body: session } = await call('POST /beak/signin', { body: { email: other.email, otp } })
    expect((await list(session.token)).status).toBe(200)
    expect((await list(duckling.token)).status).toBe(403)
    const verified = await call('POST /beak/verify-email', {
      token: duckling.token,
      body: { otp: await codeFor(duckling.email) },
    })
    expect(verified.status).toBe(200)
    expect((await list(duckling.token)).status).toBe(200)
  })

  it('is not refused where everybody may sign up', async () => {
    const duckling = await aDuckling({ tier: 'T0' })
    expect((await call('GET /beak/agent/list', { token: duckling.token })).status).toBe(200)
  })
})
