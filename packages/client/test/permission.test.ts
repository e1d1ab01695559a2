/** Asking for permission, waiting and using a permission, on a real service and over broken connections. */
import { Beak, BeakError, type Permission, PermissionRefusedError } from '@beak/client'
import { beforeEach, describe, expect, it } from 'vitest'
import { db } from '@/lib/db/client'
import { type AnAgent, anAgent } from '@/lib/factories/agents'
import { type ADuckling, aDuckling } from '@/lib/factories/ducklings'
import { aPasskey } from '@/lib/factories/passkeys'
import { aRule, shopRule } from '@/lib/factories/rules'
import { startFaultServer } from './fault-server'
import { startService } from './service'

const url = startService()
const faults = startFaultServer(url)
let target: ADuckling
let operator: ADuckling
let agent: AnAgent
/** The client of the person who decides. */
let person: Beak
/** The client of the agent that asks. */
let asker: Beak

beforeEach(async () => {
  target = await aDuckling()
  operator = await aDuckling()
  agent = await anAgent(operator)
  person = new Beak({ url: url(), token: target.token })
  asker = new Beak({ url: url(), key: agent.beakKey })
})

const question = () => ({ target: target.id, action: 'send:email', params: { to: 'a@example.com' } })

/** The same question for `requestPeck`. */
const rest = ({ target: target_duckling_id, ...asked }: ReturnType<typeof question>) => ({
  target_duckling_id,
  ...asked,
})

/** Returns the id of the person's pending request as soon as there is one. */
async function pendingId(): Promise<string> {
  const find = async () => (await person.listPecks({ status: 'pending' })).items[0]?.peck_id
  await expect.poll(find).toBeDefined()
  return (await find()) ?? ''
}

async function aPermission(): Promise<Permission> {
  const answer = asker.requestPermission(question())
  await person.approvePeck({ peck_id: await pendingId() })
  const { permission } = await answer
  if (permission === null) throw new Error('there is no permission')
  return permission
}

describe('requestPermission', () => {
  it.each([
    ['the permission', 'approve'],
    ['the refusal', 'reject'],
  ] as const)('returns %s at once when a rule of the person answers', async (_, answer) => {
    const { authenticator } = await aPasskey(operator)
    const { rule_id, sentence } = await aRule(operator, authenticator, shopRule(agent.agentId, { answer }))
    const params = { amount: '€38.00', to: 'shop@example.com' }
    const asked = await asker.requestPermission({ target: operator.id, action: 'pay:invoice', params })
    expect(asked.peck).toMatchObject({ reason: sentence, decided_by: { type: 'rule', rule_id } })
    if (answer === 'reject') return expect(asked.refusal).toEqual({ kind: 'rejected', reason: sentence })
    const shop = new Beak({ url: url() })
    if (asked.permission === null) throw new Error('there is no permission')
    expect(await shop.usePermission(asked.permission, params)).toMatchObject({ active: true, uses_left: 0 })
  })

  it('returns the permission when the person approves', async () => {
    const answer = asker.requestPermission(question())
    const peck_id = await pendingId()
    await person.approvePeck({ peck_id })
    expect(await answer).toMatchObject({
      refusal: null,
      permission: {
        peck_id,
        action: 'send:email',
        scope: 'limited',
        params: { to: 'a@example.com' },
        max_uses: 1,
      },
      peck: { status: 'approved' },
    })
  })

  it('waits for the request that takes the place of an undone approval', async () => {
    const { peck_id } = await asker.requestPeck({ ...rest(question()), scope: 'limited' })
    await person.approvePeck({ peck_id })
    const { superseded_by } = await person.undoDecision({ peck_id })
    expect(await asker.waitForDecision(peck_id, { wait: 0 })).toMatchObject({
      peck_id: superseded_by,
      status: 'pending',
    })
    const decided = asker.waitForDecision(peck_id)
    await person.approvePeck({ peck_id: superseded_by ?? '' })
    expect(await decided).toMatchObject({ peck_id: superseded_by, grant_status: 'active' })
  })

  it('does not wait for another request when the undone permission had been used', async () => {
    const { peck_id } = await asker.requestPeck({ ...rest(question()), scope: 'timed' })
    await person.approvePeck({ peck_id })
    const { grant_token = '' } = await asker.getPeck({ peck_id })
    await new Beak({ url: url() }).usePermission(grant_token, { to: 'a@example.com' })
    await person.undoDecision({ peck_id })
    expect(await asker.waitForDecision(peck_id)).toMatchObject({ peck_id, grant_status: 'revoked', uses: 1 })
  })

  it('passes on the types of the parameters', async () => {
    const answer = asker.requestPermission({ ...question(), param_types: { to: 'email' } })
    await person.approvePeck({ peck_id: await pendingId() })
    expect((await answer).peck.param_types).toEqual({ to: 'email' })
  })

  it('returns the reason when the person rejects', async () => {
    const answer = asker.requestPermission(question())
    await person.rejectPeck({ peck_id: await pendingId(), reason: 'Not today.' })
    expect(await answer).toMatchObject({
      permission: null,
      refusal: { kind: 'rejected', reason: 'Not today.' },
    })
  })

  it('returns cancelled when the operator of the agent withdraws the request', async () => {
    const answer = asker.requestPermission(question())
    await new Beak({ url: url(), token: operator.token }).cancelPeck({ peck_id: await pendingId() })
    expect(await answer).toMatchObject({ permission: null, refusal: { kind: 'cancelled' } })
  })

  it('returns expired when nobody answers in time', async () => {
    const { peck } = await asker.requestPermission(question(), { wait: 0 })
    await db().peck.update({ where: { id: peck.peck_id }, data: { expiresAt: new Date(0) } })
    expect(await asker.waitForDecision(peck.peck_id)).toMatchObject({ status: 'expired' })
  })

  it('returns pending after the time to wait, and a later wait returns the decision', async () => {
    const { permission, refusal, peck } = await asker.requestPermission(question(), { wait: 0 })
    expect([permission, refusal]).toEqual([null, { kind: 'pending' }])
    const decided = asker.waitForDecision(peck.peck_id)
    await person.approvePeck({ peck_id: peck.peck_id })
    expect(await decided).toMatchObject({ status: 'approved', grant_token: expect.any(String) })
  })

  it('returns ended when the permission was revoked before it was fetched', async () => {
    const { peck } = await asker.requestPermission(question(), { wait: 0 })
    await person.approvePeck({ peck_id: peck.peck_id })
    await person.revokeGrant({ peck_id: peck.peck_id })
    const decided = await asker.waitForDecision(peck.peck_id)
    expect(decided).toMatchObject({ status: 'approved', grant_status: 'revoked' })
  })

  it('throws the refusal when the service does not pass the question on', async () => {
    const { peck } = await asker.requestPermission(question(), { wait: 0 })
    await person.rejectPeck({ peck_id: peck.peck_id, reason: 'No' })
    const error = await asker.requestPermission(question()).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(BeakError)
    expect(error).toMatchObject({ code: 'E4004', status: 429 })
  })

  it.each(['cut-poll', 'bad-gateway', 'error-E5002', 'error-E4004'])('waits on after %s', async (fault) => {
    const { peck } = await asker.requestPermission(question(), { wait: 0 })
    const run = faults.run(fault, 2)
    const decided = asker.with({ url: run.url, retries: 0 }).waitForDecision(peck.peck_id)
    await expect.poll(run.requests, { timeout: 10_000 }).toHaveLength(3)
    await person.approvePeck({ peck_id: peck.peck_id })
    expect(await decided).toMatchObject({ status: 'approved' })
  })

  it('throws the last error when the time to wait ends without an answer', async () => {
    const { peck } = await asker.requestPermission(question(), { wait: 0 })
    const wait = asker.with({ url: faults.run('cut').url }).waitForDecision(peck.peck_id, { wait: 0.5 })
    await expect(wait).rejects.toMatchObject({ name: 'BeakConnectionError' })
  })

  it('does not wait on when the credential is no longer valid', async () => {
    const { peck } = await asker.requestPermission(question(), { wait: 0 })
    const wait = asker.with({ key: 'beak_wrong' }).waitForDecision(peck.peck_id)
    await expect(wait).rejects.toMatchObject({ code: 'E4001' })
  })

  it('stops with the reason of the signal and withdraws the request', async () => {
    const controller = new AbortController()
    const answer = asker.requestPermission(question(), { signal: controller.signal })
    const peck_id = await pendingId()
    controller.abort(new Error('changed my mind'))
    await expect(answer).rejects.toThrow('changed my mind')
    expect(await person.getPeck({ peck_id })).toMatchObject({ status: 'cancelled' })
  })
})

describe('usePermission', () => {
  const shop = () => new Beak({ url: url() })
  const refusalOf = async (use: Promise<unknown>) => {
    const error = await use.catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(PermissionRefusedError)
    return (error as PermissionRefusedError).refusal
  }

  it('spends one use and returns who asked whom for what', async () => {
    const permission = await aPermission()
    expect(await shop().usePermission(permission, { to: 'a@example.com' })).toMatchObject({
      active: true,
      action: 'send:email',
      target_duckling_id: target.id,
      claimed: { agent_id: agent.agentId },
      uses_left: 0,
    })
  })

  it('accepts the grant token alone', async () => {
    const { grant_token } = await aPermission()
    expect(await shop().usePermission(grant_token, { to: 'a@example.com' })).toMatchObject({ uses_left: 0 })
  })

  it('refuses a second use, of 50 simultaneous uses all but one', async () => {
    const permission = await aPermission()
    const uses = await Promise.allSettled(
      Array.from({ length: 50 }, () => shop().usePermission(permission, { to: 'a@example.com' })),
    )
    expect(uses.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await refusalOf(shop().usePermission(permission, { to: 'a@example.com' }))).toBe('consumed')
  })

  it('refuses other parameters, and none', async () => {
    const permission = await aPermission()
    expect(await refusalOf(shop().usePermission(permission, { to: 'b@example.com' }))).toBe('mismatch')
    expect(await refusalOf(shop().usePermission(permission))).toBe('mismatch')
  })

  it('refuses a permission for another audience, and accepts it at its own', async () => {
    const answer = asker.requestPermission({ ...question(), audience: 'mail.example' })
    await person.approvePeck({ peck_id: await pendingId() })
    const { permission } = await answer
    if (permission === null) throw new Error('there is no permission')
    const use = (audience: string) => shop().usePermission(permission, { to: 'a@example.com' }, { audience })
    expect(await refusalOf(use('other.example'))).toBe('mismatch')
    expect(await use('mail.example')).toMatchObject({ uses_left: 0 })
  })

  it('refuses a revoked permission', async () => {
    const permission = await aPermission()
    await person.revokeGrant({ peck_id: permission.peck_id })
    expect(await refusalOf(shop().usePermission(permission, { to: 'a@example.com' }))).toBe('revoked')
  })

  it('refuses what is no permission', async () => {
    expect(await refusalOf(shop().usePermission('not.a.token'))).toBe('invalid')
  })

  it('throws other errors as they are', async () => {
    const use = new Beak({ url: faults.run('error-E5002').url, maxRetryDelay: 10 }).usePermission('x.y.z')
    await expect(use).rejects.toMatchObject({ name: 'BeakError', code: 'E5002' })
  })
})
