/** Tests every sensitive change (contract F) with sessions that have a recent proof and sessions that do not. */
import { describe, expect, it } from 'vitest'
import { db } from '@/lib/db/client'
import { anAgent } from '@/lib/factories/agents'
import { Authenticator } from '@/lib/factories/authenticator'
import { type ADuckling, aDuckling, randomEmail } from '@/lib/factories/ducklings'
import { codeFor } from '@/lib/factories/outbox'
import { aPasskey } from '@/lib/factories/passkeys'
import { anotherSession } from '@/lib/fixtures/accounts'
import { minute, readClock, secondsAfter } from '@/lib/kernel/clock'
import { type Answer, call } from './call'
import { table } from './table'

type Attempt = (token: string) => Promise<Answer>

interface SensitiveChange {
  name: string
  /** The event with which a refused attempt is recorded. */
  event: string
  /** Prepares the account while it has no passkey and its session is recent. */
  prepare(owner: ADuckling): Promise<Attempt>
}

const post =
  (line: string, body?: unknown): Attempt =>
  (token) =>
    call(line, { token, body })

const sensitiveChanges: SensitiveChange[] = [
  {
    name: 'setting require_passkey_for_pecks to false',
    event: 'duckling.updated',
    prepare: async ({ token }) => {
      await call('POST /beak/profile/update', { token, body: { require_passkey_for_pecks: true } })
      return post('POST /beak/profile/update', { require_passkey_for_pecks: false })
    },
  },
  {
    name: 'lowering min_peck_tier',
    event: 'duckling.updated',
    prepare: async ({ token }) => {
      await call('POST /beak/profile/update', { token, body: { min_peck_tier: 'T2' } })
      return post('POST /beak/profile/update', { min_peck_tier: 'T1', bio: 'Dabbles' })
    },
  },
  {
    name: 'requesting a code to change the email',
    event: 'duckling.email_changed',
    prepare: async () => post('POST /beak/email-change', { new_email: randomEmail() }),
  },
  {
    name: 'changing the email with the code',
    event: 'duckling.email_changed',
    prepare: async ({ token }) => {
      const new_email = randomEmail()
      await call('POST /beak/email-change', { token, body: { new_email } })
      return post('POST /beak/email-change', { new_email, otp: await codeFor(new_email) })
    },
  },
  {
    name: 'requesting options to add a passkey',
    event: 'passkey.challenged',
    prepare: async () => post('POST /beak/passkey/register'),
  },
  {
    name: 'adding a passkey',
    event: 'passkey.registered',
    prepare: async ({ token }) => {
      const { body } = await call('POST /beak/passkey/register', { token })
      const credential = new Authenticator().create(body)
      return post('POST /beak/passkey/register/verify', { credential })
    },
  },
  {
    name: 'rotating a key',
    event: 'key.rotated',
    prepare: async (owner) => post('POST /beak/key/rotate', { agent_id: (await anAgent(owner)).agentId }),
  },
  {
    name: 'creating a handshake for an agent of another session',
    event: 'agent.handshake_made',
    prepare: async (owner) => {
      const { agentId } = await anAgent(owner, { bonded: false })
      await db().agent.update({ where: { id: agentId }, data: { sessionId: 'SES-OF-ANOTHER' } })
      return post('POST /beak/agent/handshake', { agent_id: agentId })
    },
  },
  {
    name: 'creating a handshake for an agent of an unknown session',
    event: 'agent.handshake_made',
    prepare: async (owner) => {
      const { agentId } = await anAgent(owner, { bonded: false })
      await db().agent.update({ where: { id: agentId }, data: { sessionId: null } })
      return post('POST /beak/agent/handshake', { agent_id: agentId })
    },
  },
  {
    name: 'exporting the account',
    event: 'duckling.exported',
    prepare: async () => post('GET /beak/account/export'),
  },
  ...(['approve', 'deny'] as const).map((decision) => ({
    name: `deciding about a device: ${decision}`,
    event: decision === 'approve' ? 'session.device_approved' : 'session.device_denied',
    prepare: async () => {
      const { body } = await call('POST /beak/device/authorize', { body: { client_name: 'laptop' } })
      return post(`POST /beak/device/${decision}`, { user_code: body.user_code })
    },
  })),
  {
    name: 'closing the account',
    event: 'duckling.closed',
    prepare: async () => post('POST /beak/account/delete'),
  },
]

/** Sets the proofs of a duckling's sessions to that many seconds ago. */
async function setProofAge(ducklingId: string, seconds: number): Promise<void> {
  const at = secondsAfter(readClock(), -seconds)
  const where = { ducklingId }
  await db().session.updateMany({ where, data: { authTime: at } })
  await db().session.updateMany({ where: { ...where, passkeyAt: { not: null } }, data: { passkeyAt: at } })
}

async function confirm(token: string, authenticator: Authenticator): Promise<Answer> {
  const options = await call('POST /beak/passkey/challenge', { token, body: { purpose: 'confirm' } })
  return call('POST /beak/passkey/confirm', { token, body: { passkey: authenticator.get(options.body) } })
}

async function signInWithPasskey(authenticator: Authenticator): Promise<string> {
  const { body } = await call('POST /beak/passkey/login/options')
  const answer = await call('POST /beak/passkey/login', { body: { credential: authenticator.get(body) } })
  return answer.body.token
}

const refusedFor = ({ status, body }: Answer) => [status, body.code, body.required]
const needsPasskey = [403, 'E4009', 'passkey']
const needsSignIn = [403, 'E4009', 'fresh_sign_in']

describe.each(sensitiveChanges)('$name', ({ prepare, event }) => {
  it('needs a passkey when the account has one: a session by code is refused until it is confirmed', async () => {
    const owner = await aDuckling()
    const attempt = await prepare(owner)
    const { authenticator } = await aPasskey(owner)
    for (const token of [owner.token, await anotherSession(owner)])
      expect(refusedFor(await attempt(token))).toEqual(needsPasskey)
    const denied = { ducklingId: owner.id, action: event, outcome: 'denied' }
    expect(await db().auditEvent.count({ where: denied })).toBe(2)
    expect((await confirm(owner.token, authenticator)).status).toBe(200)
    expect((await attempt(owner.token)).status).toBe(200)
  })

  it('accepts a session that started with a passkey for ten minutes', async () => {
    const owner = await aDuckling()
    const attempt = await prepare(owner)
    const { authenticator } = await aPasskey(owner)
    const token = await signInWithPasskey(authenticator)
    await setProofAge(owner.id, 10 * minute + 1)
    expect(refusedFor(await attempt(token))).toEqual(needsPasskey)
    await setProofAge(owner.id, 10 * minute - 5)
    expect((await attempt(token)).status).toBe(200)
  })

  it('refuses a confirmed session after ten minutes', async () => {
    const owner = await aDuckling()
    const attempt = await prepare(owner)
    const { authenticator } = await aPasskey(owner)
    await confirm(owner.token, authenticator)
    await setProofAge(owner.id, 10 * minute + 1)
    expect(refusedFor(await attempt(owner.token))).toEqual(needsPasskey)
  })

  it('needs a sign-in in the last ten minutes when the account has no passkey', async () => {
    const owner = await aDuckling()
    const attempt = await prepare(owner)
    await setProofAge(owner.id, 10 * minute + 1)
    expect(refusedFor(await attempt(owner.token))).toEqual(needsSignIn)
    expect(
      await db().auditEvent.count({ where: { ducklingId: owner.id, action: event, outcome: 'denied' } }),
    ).toBe(1)
    await setProofAge(owner.id, 10 * minute - 5)
    expect((await attempt(owner.token)).status).toBe(200)
  })
})

describe('removing a passkey', () => {
  it('needs a passkey proof, also with the session that added it', async () => {
    const owner = await aDuckling()
    const { id, authenticator } = await aPasskey(owner)
    const remove = post('POST /beak/passkey/remove', { passkey_id: id })
    for (const token of [owner.token, await anotherSession(owner)])
      expect(refusedFor(await remove(token))).toEqual(needsPasskey)
    const token = await signInWithPasskey(authenticator)
    await setProofAge(owner.id, 10 * minute + 1)
    expect(refusedFor(await remove(token))).toEqual(needsPasskey)
    const denied = { ducklingId: owner.id, action: 'passkey.removed', outcome: 'denied' }
    expect(await db().auditEvent.count({ where: denied })).toBe(3)
    await setProofAge(owner.id, 10 * minute - 5)
    expect((await remove(token)).status).toBe(200)
  })

  it('needs a recent sign-in when the account has no passkey', async () => {
    const owner = await aDuckling()
    const remove = post('POST /beak/passkey/remove', { passkey_id: 'PK-0000000000000000' })
    expect((await remove(owner.token)).status).toBe(404)
    await setProofAge(owner.id, 10 * minute + 1)
    expect(refusedFor(await remove(owner.token))).toEqual(needsSignIn)
  })
})

describe('a change that is not sensitive', () => {
  it('needs no proof: stricter or unchanged rules, and other properties of the profile', async () => {
    const owner = await aDuckling()
    await aPasskey(owner)
    await setProofAge(owner.id, 60 * minute)
    for (const body of [
      { require_passkey_for_pecks: false, min_peck_tier: 'T1' },
      { require_passkey_for_pecks: true, min_peck_tier: 'T2', bio: 'Dabbles' },
      { require_passkey_for_pecks: true, min_peck_tier: 'T2', directory_visible: false },
    ])
      expect((await call('POST /beak/profile/update', { token: owner.token, body })).status).toBe(200)
  })

  it('needs no proof: a handshake for an agent that the same session registered', async () => {
    const owner = await aDuckling()
    const { agentId } = await anAgent(owner, { bonded: false })
    const { sessionId } = (await owner.context()).caller
    await db().agent.update({ where: { id: agentId }, data: { sessionId } })
    await setProofAge(owner.id, 60 * minute)
    const body = { agent_id: agentId }
    expect((await call('POST /beak/agent/handshake', { token: owner.token, body })).status).toBe(200)
  })

  it('does not weaken a rule that is made stricter at the same time', async () => {
    const owner = await aDuckling()
    await aPasskey(owner)
    const thief = await anotherSession(owner)
    const change = (token: string, value: boolean) =>
      call('POST /beak/profile/update', { token, body: { require_passkey_for_pecks: value } })
    await Promise.all([
      ...Array.from({ length: 10 }, () => change(thief, false)),
      change(owner.token, true),
      ...Array.from({ length: 10 }, () => change(thief, false)),
    ])
    const { requirePasskeyForPecks } = await db().duckling.findUniqueOrThrow({ where: { id: owner.id } })
    expect(requirePasskeyForPecks).toBe(true)
  })
})

describe('the declarations', () => {
  it('name fresh_passkey_needed for these endpoints', () => {
    const declared = Object.entries(table).flatMap(([path, route]) =>
      Object.values(route).some((one) => one.definition?.failures?.includes('fresh_passkey_needed'))
        ? [path]
        : [],
    )
    for (const path of [
      '/beak/account/delete',
      '/beak/account/export',
      '/beak/agent/handshake',
      '/beak/device/approve',
      '/beak/device/deny',
      '/beak/device/view',
      '/beak/email-change',
      '/beak/key/rotate',
      '/beak/passkey/register',
      '/beak/passkey/register/verify',
      '/beak/passkey/remove',
      '/beak/profile/update',
    ])
      expect(declared).toContain(path)
  })
})
