/** The switch that pauses everything which may happen without asking: rules, permissions and sign-on by agents. */
import { EventEmitter, once } from 'node:events'
import { beforeEach, describe, expect, inject, it, vi } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import { getGrantDigest, lockGrantedPeck, spendGrant } from '@/lib/domain/pecks/grant/spend'
import { pauseAllRules, resumeAllRules } from '@/lib/domain/pecks/rules/commands'
import { type AnAgent, anAgent } from '@/lib/factories/agents'
import { type ADuckling, aDuckling, anonymously } from '@/lib/factories/ducklings'
import { type APasskey, aPasskey } from '@/lib/factories/passkeys'
import { anApprovedPeck, aPeck } from '@/lib/factories/pecks'
import { aRule, shopRule } from '@/lib/factories/rules'
import { anSsoToken } from '@/lib/fixtures/sso'
import { waitingConnections } from '@/lib/fixtures/statements'
import { readClock } from '@/lib/kernel/runtime/clock'

let owner: ADuckling
let passkey: APasskey
let agent: AnAgent
beforeEach(async () => {
  owner = await aDuckling()
  passkey = await aPasskey(owner)
  agent = await anAgent(owner)
})

const pause = () => call('POST /beak/rule/pause', { token: owner.token, body: { all: true } })
/** Resumes as after a passkey has confirmed the session. */
const resume = async () => {
  const context = await owner.context()
  await resumeAllRules({ ...context, caller: { ...context.caller, passkeyAt: context.now } })
}
const consume = (grant_token: string, headers = {}) =>
  call('POST /beak/peck/consume', { body: { grant_token }, headers })
const aStandingPermission = () => anApprovedPeck(agent, owner, { action: 'read:mail', scope: 'timed' })
const aShopRule = () => aRule(owner, passkey.authenticator, shopRule(agent.agentId))
const pay = () =>
  aPeck(agent, owner, { action: 'pay:invoice', params: { amount: '€5.00', to: 'shop@example.com' } })

const paused = {
  status: 409,
  body: { code: 'E4008', reason: 'paused', current_status: 'paused', action: expect.any(String) },
}

describe('while everything is paused', () => {
  // security: agent-31
  it('refuses the use and the check of a permission, and goes on with it after the pause', async () => {
    const { peck_id, grant_token } = await aStandingPermission()
    expect((await consume(grant_token)).status).toBe(200)
    await pause()
    expect(await consume(grant_token)).toMatchObject(paused)
    expect(await call('POST /beak/peck/check', { body: { grant_token } })).toMatchObject(paused)
    expect(await db().peck.findUnique({ where: { id: peck_id } })).toMatchObject({
      uses: 1,
      grantRevokedAt: null,
    })
    const [denied] = await db().auditEvent.findMany({
      where: { ducklingId: owner.id, action: 'peck.consumed', outcome: 'denied' },
    })
    expect(denied?.metadata).toMatchObject({ failure: 'paused', peck_id })
    await resume()
    expect((await consume(grant_token)).status).toBe(200)
  })

  it('refuses a repeated use that was counted before', async () => {
    const { grant_token } = await aStandingPermission()
    const headers = { 'Idempotency-Key': 'one-use-of-the-mail-permission' }
    expect((await consume(grant_token, headers)).status).toBe(200)
    await pause()
    expect(await consume(grant_token, headers)).toMatchObject(paused)
  })

  it('refuses a permission that is approved during the pause, and a profile that a permission shows', async () => {
    const reader = await aDuckling()
    await pause()
    const { grant_token } = await anApprovedPeck(reader, owner)
    const shown = await call('GET /beak/profile', {
      token: reader.token,
      headers: { 'X-Peck-Grant': grant_token },
    })
    expect(shown).toMatchObject(paused)
  })

  it('lets requests wait for the person, and leaves permissions of other people alone', async () => {
    await aShopRule()
    await pause()
    expect(await pay()).toMatchObject({ status: 'pending' })
    const other = await aDuckling()
    const { grant_token } = await anApprovedPeck(agent, other)
    expect((await consume(grant_token)).status).toBe(200)
  })

  it('refuses sign-on by an agent, and not by the person', async () => {
    const ofAgent = await anSsoToken(agent.context())
    await pause()
    const body = { target_domain: 'shop.example.com', scope: 'login' }
    expect(await call('POST /beak/sso/issue', { key: agent.beakKey, body })).toMatchObject({
      status: 409,
      body: { reason: 'paused' },
    })
    const isActive = async (token: string) =>
      (await call('POST /beak/sso/verify', { body: { token, domain: 'shop.example.com' } })).body.active
    expect(await isActive(ofAgent)).toBe(false)
    const person = await aDuckling()
    const ofPerson = await anSsoToken(person.context())
    await pauseAllRules(await person.context())
    expect(await isActive(ofPerson)).toBe(true)
    await resume()
    expect(await isActive(ofAgent)).toBe(true)
  })

  // security: session-22
  it('resumes only with a passkey that has confirmed the session', async () => {
    const { grant_token } = await aStandingPermission()
    await pause()
    const refused = await call('POST /beak/rule/resume', { token: owner.token, body: { all: true } })
    expect(refused.body).toMatchObject({ reason: 'fresh_passkey_needed' })
    const byAgent = await call('POST /beak/rule/resume', { key: agent.beakKey, body: { all: true } })
    expect(byAgent.status).toBe(403)
    expect(await consume(grant_token)).toMatchObject(paused)
  })
})

describe('a pause beside uses', () => {
  it('reads the pause in the statement that counts the use', async () => {
    const { peck_id, grant_token } = await aStandingPermission()
    const context = await anonymously()
    const use = transaction(async (tx) => {
      const peck = await lockGrantedPeck(tx, context, getGrantDigest(context, grant_token))
      await tx.duckling.update({ where: { id: owner.id }, data: { rulesPausedAt: readClock() } })
      return spendGrant(tx, context, peck, undefined)
    })
    await expect(use).rejects.toMatchObject({ failure: 'paused' })
    expect((await db().peck.findUnique({ where: { id: peck_id } }))?.uses).toBe(0)
  })

  /** Commits a pause while `act` waits for what a pause locks, and returns what `act` answers. */
  async function pausedMeanwhile<T>(act: () => Promise<T>): Promise<T> {
    const locked = new EventEmitter()
    const [hasLocked, mayPause] = [once(locked, 'locked'), once(locked, 'waited for')]
    const pausing = transaction(async (tx) => {
      // In the order of the command.
      await tx.duckling.update({ where: { id: owner.id }, data: { rulesPausedAt: readClock() } })
      await tx.run`SELECT 1 FROM "AuditChain" WHERE "ducklingId" = ${owner.id} FOR UPDATE`
      locked.emit('locked')
      await mayPause
    })
    await hasLocked
    const acting = act()
    await vi.waitFor(async () => expect(await waitingConnections()).toBeGreaterThan(0), 10_000)
    locked.emit('waited for')
    await pausing
    return acting
  }

  // The embedded database has one connection.
  it.runIf(inject('postgres') !== null)('lets no use commit that began before it', async () => {
    const { grant_token } = await aStandingPermission()
    expect(await pausedMeanwhile(() => consume(grant_token))).toMatchObject(paused)
  })

  it.runIf(inject('postgres') !== null)('lets no answer of a rule commit that began before it', async () => {
    await aShopRule()
    expect(await pausedMeanwhile(pay)).toMatchObject({ status: 'pending' })
  })

  // security: agent-31
  it('lets none of 50 uses and 10 rule answers come after it in the log', async () => {
    await aShopRule()
    const { grant_token } = await aStandingPermission()
    const acts = Array.from({ length: 60 }, (_, at) =>
      at % 6 === 5 ? pay().catch(() => null) : consume(grant_token),
    )
    await Promise.all([...acts, owner.context().then((context) => pauseAllRules(context))])
    const events = await db().auditEvent.findMany({
      where: { ducklingId: owner.id, outcome: 'success' },
      orderBy: { seq: 'asc' },
      select: { action: true, actorId: true },
    })
    const at = events.findIndex(({ action }) => action === 'rule.paused')
    expect(at).toBeGreaterThan(-1)
    const later = events.slice(at).map(({ action }) => action)
    expect(later.filter((action) => ['peck.consumed', 'peck.approved'].includes(action))).toEqual([])
  })
})
