import { beforeEach, describe, expect, it } from 'vitest'
import { type Answer, call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { openCeremony } from '@/lib/domain/passkeys/ceremony'
import type { RequestOptions } from '@/lib/domain/passkeys/schema'
import type { Deviations } from '@/lib/factories/authenticator'
import { type ADuckling, aDuckling } from '@/lib/factories/ducklings'
import { type APasskey, aPasskey, confirmWithPasskey } from '@/lib/factories/passkeys'
import { aPeck } from '@/lib/factories/pecks'
import { anotherSession } from '@/lib/fixtures/accounts'
import { minute, readClock, secondsAfter } from '@/lib/kernel/runtime/clock'

let owner: ADuckling
let passkey: APasskey
beforeEach(async () => {
  owner = await aDuckling({ tier: 'T2' })
  passkey = await aPasskey(owner)
})

async function challenge(purpose: object, token = owner.token): Promise<RequestOptions> {
  return (await call('POST /beak/passkey/challenge', { token, body: purpose })).body
}

const confirm = (assertion: unknown, token = owner.token): Promise<Answer> =>
  call('POST /beak/passkey/confirm', { token, body: { passkey: assertion } })

/** Whether a session may make a sensitive change. */
async function isProven(token = owner.token): Promise<boolean> {
  return (await call('GET /beak/account/export', { token })).status === 200
}

async function deniedCauses(): Promise<unknown[]> {
  const events = await db().auditEvent.findMany({
    where: { ducklingId: owner.id, action: 'passkey.confirmed', outcome: 'denied' },
    orderBy: { seq: 'asc' },
  })
  return events.map(({ metadata }) => (metadata as { cause?: string }).cause)
}

describe('200', () => {
  it('confirms the session for ten minutes and records the passkey', async () => {
    const before = readClock()
    const { status, body } = await confirm(passkey.authenticator.get(await challenge({ purpose: 'confirm' })))
    expect(status).toBe(200)
    expect(body).toEqual({ success: true, confirmed_until: expect.any(String) })
    const seconds = (Date.parse(body.confirmed_until) - before.getTime()) / 1000
    expect(seconds).toBeGreaterThanOrEqual(10 * minute)
    expect(seconds).toBeLessThan(10 * minute + 30)
    expect(await isProven()).toBe(true)
    const { sessionId } = (await owner.context()).caller
    const [event] = await db().auditEvent.findMany({
      where: { ducklingId: owner.id, action: 'passkey.confirmed' },
    })
    expect(event).toMatchObject({
      outcome: 'success',
      targets: [
        { type: 'passkey', id: passkey.id },
        { type: 'session', id: sessionId },
      ],
    })
  })

  it('confirms no other session of the account', async () => {
    const other = await anotherSession(owner)
    await confirm(passkey.authenticator.get(await challenge({ purpose: 'confirm' })))
    expect(await isProven(other)).toBe(false)
  })

  it('creates a challenge of 32 random bytes for the passkeys of the account', async () => {
    const [first, second] = [await challenge({ purpose: 'confirm' }), await challenge({ purpose: 'confirm' })]
    expect(first.challenge).toMatch(/^[\w-]{43}$/)
    expect(second.challenge).not.toBe(first.challenge)
    expect(first.allowCredentials?.map(({ id }) => id)).toEqual([passkey.authenticator.credentialId])
  })

  it('does not confirm the session when a passkey is registered', async () => {
    expect((await owner.context()).caller.passkeyAt).toBeNull()
    expect(await isProven()).toBe(false)
  })
})

describe('400', () => {
  it.each([
    [{}, 'passkey'],
    [{ passkey: 'x' }, 'passkey'],
    [{ passkey: {}, session_id: 'x' }, 'session_id'],
  ])('names the invalid field in %j', async (body, field) => {
    const answer = await call('POST /beak/passkey/confirm', { token: owner.token, body })
    expect(answer.status).toBe(400)
    expect(answer.body.errors.some((error: { field: string }) => error.field.split('.')[0] === field)).toBe(
      true,
    )
  })
})

describe('401', () => {
  const refusal = async (assertion: unknown, token = owner.token) => {
    const { status, body } = await confirm(assertion, token)
    expect([status, body.code]).toEqual([401, 'E4006'])
    expect(await isProven(token)).toBe(false)
  }

  it.each(['elevate', 'approve', 'login', 'register'])('refuses a challenge for %s', async (purpose) => {
    const { peck_id } = await aPeck(await aDuckling(), owner)
    const others: Record<string, () => Promise<{ challenge: string }>> = {
      elevate: () => challenge({ purpose: 'elevate' }),
      approve: () => challenge({ purpose: 'approve', peck_id }),
      login: async () => (await call('POST /beak/passkey/login/options')).body,
      register: async () => {
        const ceremony = { purpose: 'register', ducklingId: owner.id } as const
        const bytes = await openCeremony(db(), readClock(), ceremony)
        return { challenge: Buffer.from(bytes).toString('base64url') }
      },
    }
    const given = await others[purpose]?.()
    const options = await challenge({ purpose: 'confirm' })
    await refusal(passkey.authenticator.get(options, { challenge: given?.challenge ?? '' }))
    expect(await deniedCauses()).toEqual(['challenge'])
  })

  it('refuses a challenge for confirm at every other endpoint', async () => {
    const { peck_id } = await aPeck(await aDuckling(), owner)
    const assertion = async () => passkey.authenticator.get(await challenge({ purpose: 'confirm' }))
    const { token } = owner
    const tries = [
      await call('PUT /beak/trust/elevate', { token, body: { passkey: await assertion() } }),
      await call('POST /beak/peck/approve', { token, body: { peck_id, passkey: await assertion() } }),
      await call('POST /beak/passkey/login', { body: { credential: await assertion() } }),
    ]
    expect(tries.map(({ status }) => status)).toEqual([401, 401, 401])
  })

  // security: session-12
  it('refuses the challenge of another session of the same account', async () => {
    const other = await anotherSession(owner)
    const assertion = passkey.authenticator.get(await challenge({ purpose: 'confirm' }, other))
    await refusal(assertion)
    expect(await deniedCauses()).toEqual(['challenge'])
    expect((await confirm(assertion, other)).status).toBe(200)
  })

  it('refuses the challenge and the passkey of another account', async () => {
    const other = await aDuckling()
    const otherPasskey = await aPasskey(other)
    const [mine, foreign] = [
      await challenge({ purpose: 'confirm' }),
      await challenge({ purpose: 'confirm' }, other.token),
    ]
    await refusal(passkey.authenticator.get(foreign))
    await refusal(otherPasskey.authenticator.get(mine))
    await refusal(otherPasskey.authenticator.get(foreign))
  })

  it('refuses a replay, also after a failed attempt', async () => {
    const assertion = passkey.authenticator.get(await challenge({ purpose: 'confirm' }))
    expect((await confirm(assertion)).status).toBe(200)
    await db().session.updateMany({ where: { ducklingId: owner.id }, data: { passkeyAt: null } })
    await refusal(assertion)
    const options = await challenge({ purpose: 'confirm' })
    await refusal(passkey.authenticator.get(options, { isForged: true }))
    await refusal(passkey.authenticator.get(options))
  })

  it('refuses a challenge after five minutes', async () => {
    const options = await challenge({ purpose: 'confirm' })
    await db().ceremony.updateMany({
      where: { challenge: options.challenge },
      data: { expiresAt: secondsAfter(readClock(), -1) },
    })
    await refusal(passkey.authenticator.get(options))
  })

  it.each<[string, Deviations]>([
    ['signature', { isForged: true }],
    ['origin', { origin: 'https://beak.example' }],
    ['rp_id', { rpId: 'beak.example' }],
    ['user_verification', { isUserVerified: false }],
    ['counter', { counter: 1 }],
  ])('refuses a wrong %s and records the cause', async (cause, deviations) => {
    const options = await challenge({ purpose: 'confirm' })
    await refusal(passkey.authenticator.get(options, deviations))
    expect(await deniedCauses()).toEqual([cause])
  })

  // security: session-12
  it('accepts one of 50 simultaneous uses', async () => {
    const assertion = passkey.authenticator.get(await challenge({ purpose: 'confirm' }))
    const answers = await Promise.all(Array.from({ length: 50 }, () => confirm(assertion)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(49)
    expect(await deniedCauses()).toEqual(Array(49).fill('challenge'))
  })
})

describe('403 and 409', () => {
  it('is returned for a challenge when the account has no passkey', async () => {
    const { token } = await aDuckling()
    const { status, body } = await call('POST /beak/passkey/challenge', {
      token,
      body: { purpose: 'confirm' },
    })
    expect([status, body.code]).toEqual([409, 'E4008'])
  })
})

describe('GET /beak/passkey/list', () => {
  describe('200', () => {
    it("lists only the caller's passkeys in pages, newest first, with their last use", async () => {
      const duckling = await aDuckling()
      const first = await aPasskey(duckling)
      await confirmWithPasskey(duckling, first.authenticator)
      const second = await aPasskey(duckling)
      await aPasskey(await aDuckling())
      const { body: options } = await call('POST /beak/passkey/login/options')
      await call('POST /beak/passkey/login', { body: { credential: first.authenticator.get(options) } })

      const page = (query: string) =>
        call(`GET /beak/passkey/list?limit=1${query}`, { token: duckling.token })
      const { body: newer } = await page('')
      expect(newer.items.map((item: { passkey_id: string }) => item.passkey_id)).toEqual([second.id])
      const { body: older } = await page(`&cursor=${newer.next_cursor}`)
      expect(older).toEqual({
        items: [expect.objectContaining({ passkey_id: first.id, last_used_at: expect.stringMatching(/Z$/) })],
        next_cursor: null,
        recovery: null,
      })
      expect(newer.items[0].last_used_at).toBeNull()
    })

    it('says which passkeys an older one vouches for', async () => {
      const duckling = await aDuckling()
      const older = await aPasskey(duckling, { name: 'Older' })
      await confirmWithPasskey(duckling, older.authenticator)
      const newer = await aPasskey(duckling, { name: 'Newer' })
      const { token } = duckling
      const endorsed = async () => {
        const { body } = await call('GET /beak/passkey/list', { token })
        return body.items.map((item: { name: string; endorsed: boolean }) => [item.name, item.endorsed])
      }
      expect(await endorsed()).toEqual([
        ['Newer', false],
        ['Older', false],
      ])
      const request = { purpose: 'endorse', passkey_id: newer.id }
      const { body: options } = await call('POST /beak/passkey/challenge', { token, body: request })
      const passkey = older.authenticator.get(options)
      const { status } = await call('POST /beak/passkey/endorse', {
        token,
        body: { passkey_id: newer.id, passkey },
      })
      expect(status).toBe(200)
      expect(await endorsed()).toEqual([
        ['Newer', true],
        ['Older', false],
      ])
    })
  })
})
