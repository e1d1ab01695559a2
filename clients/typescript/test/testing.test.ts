/** The fake, compared with a real service: the same guarantees run on both. */
import { Beak, TestCredentialError } from '@beak/client'
import { FakeBeak } from '@beak/client/testing'
import { failures } from '@beak/client/testing/failures'
import { inspectGrantToken, verifyOutcome } from '@beak/client/verify'
import { inexactNumber } from '@beak/client/verify/exact-numbers'
import { describe, expect, it } from 'vitest'
import { anAgent } from '@/lib/factories/agents'
import { aDuckling } from '@/lib/factories/ducklings'
import { errorCodes, failureTable } from '@/lib/kernel/failures'
import numbers from '../../numbers.json'
import { startService } from './service'

interface Actors {
  agent: Beak
  person: Beak
  shop: Beak
  target: string
}

const url = startService()
const params = { seats: 2 }

async function real(): Promise<Actors> {
  const target = await aDuckling()
  const { beakKey } = await anAgent(await aDuckling())
  return {
    agent: new Beak({ url: url(), key: beakKey }),
    person: new Beak({ url: url(), token: target.token }),
    shop: new Beak({ url: url() }),
    target: target.id,
  }
}

async function faked(): Promise<Actors> {
  const fake = new FakeBeak()
  const { id, client } = fake.person('teal')
  return { agent: fake.agent(), person: client, shop: fake.shop(), target: id }
}

describe.each([
  ['a real service', real],
  ['the fake', faked],
])('on %s', (_, start) => {
  async function granted({ agent, person, target }: Actors): Promise<string> {
    const question = { target_duckling_id: target, action: 'book:table', scope: 'limited', params } as const
    const { peck_id } = await agent.requestPeck(question)
    await person.approvePeck({ peck_id })
    return (await agent.getPeck({ peck_id })).grant_token ?? ''
  }

  it('lets a permission be used once, with the approved params only', async () => {
    const actors = await start()
    const token = await granted(actors)
    const { shop } = actors
    await expect(shop.usePermission(token, { seats: 20 })).rejects.toMatchObject({ refusal: 'mismatch' })
    expect(await shop.checkGrant({ grant_token: token, params })).toMatchObject({ uses_left: 1 })
    expect(await shop.usePermission(token, params)).toMatchObject({
      active: true,
      action: 'book:table',
      uses_left: 0,
      receipt: { outcome: 'consumed', version: 2 },
    })
    await expect(shop.usePermission(token, params)).rejects.toMatchObject({ refusal: 'consumed' })
    await expect(shop.usePermission('a.b.c', params)).rejects.toMatchObject({ refusal: 'invalid' })
  })

  it('spends one of two simultaneous uses', async () => {
    const actors = await start()
    const token = await granted(actors)
    const uses = await Promise.allSettled([1, 2].map(() => actors.shop.usePermission(token, params)))
    expect(uses.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  })

  it('tells the asker the reason, and pauses the same action', async () => {
    const { agent, person, target } = await start()
    const question = { target_duckling_id: target, action: 'send:email', scope: 'limited' } as const
    const { peck_id } = await agent.requestPeck(question)
    expect(await agent.requestPeck(question)).toMatchObject({ peck_id, repeated: true })
    await expect(agent.approvePeck({ peck_id })).rejects.toMatchObject({ reason: 'agent_not_allowed' })
    await expect(agent.getOutcomeReceipt({ peck_id })).rejects.toMatchObject({ reason: 'peck_undecided' })
    await person.rejectPeck({ peck_id, reason: 'Not today.' })
    expect(await agent.getPeck({ peck_id })).toMatchObject({ status: 'rejected', reason: 'Not today.' })
    await expect(person.approvePeck({ peck_id })).rejects.toMatchObject({
      reason: 'peck_not_pending',
      problem: { current_status: 'rejected' },
    })
    await expect(agent.requestPeck(question)).rejects.toMatchObject({ reason: 'peck_recently_rejected' })
  })

  it('repeats the answer to the same idempotency key, and refuses the key for another request', async () => {
    const { agent, target } = await start()
    const question = { target, action: 'send:email' }
    const options = { idempotencyKey: 'first' }
    const { peck_id } = await agent.requestPeck(question, options)
    const again = await agent.requestPeck(question, options)
    expect(again.peck_id).toBe(peck_id)
    expect(again.repeated).toBeUndefined()
    const other = { ...question, action: 'send:letter' }
    await expect(agent.requestPeck(other, options)).rejects.toMatchObject({ code: 'E4013' })
  })

  it('takes an invitation link as the target, for its action and its number of uses', async () => {
    const { agent, person, target } = await start()
    const { url: link, ...made } = await person.createInvitation({
      action: 'book:table',
      uses: 1,
      note: 'Fair',
    })
    expect(made).toMatchObject({ status: 'active', action: 'book:table', uses: 1, used: 0, note: 'Fair' })
    const question = { target: link ?? '', action: 'book:table', scope: 'limited', params } as const
    const reasonOf = (change: object) =>
      agent.requestPeck({ ...question, ...change }).then(
        () => null,
        ({ reason }) => reason,
      )
    expect(await reasonOf({ action: 'send:email' })).toBe('invitation_mismatch')
    await expect(agent.requestPeck({ ...question, target_duckling_id: target })).rejects.toMatchObject({
      errors: [{ field: 'target_duckling_id' }],
    })
    const { peck_id, target_duckling_id } = await agent.requestPeck(question)
    expect(target_duckling_id).toBe(target)
    expect(await agent.requestPeck(question)).toMatchObject({ peck_id, repeated: true })
    expect(await reasonOf({ params: { seats: 3 } })).toBe('invitation_used_up')
    await person.approvePeck({ peck_id })
    expect((await agent.getPeck({ peck_id })).grant_token).toEqual(expect.any(String))
  })

  it('refuses a link that was revoked, is for another agent, is unknown or is of another service', async () => {
    const { agent, person, target } = await start()
    const ask = async (link: string | null) => {
      const question = { action: 'book:table', scope: 'limited', params, target: link ?? '' } as const
      return agent.requestPeck(question).catch(({ code, reason, errors }) => ({ code, reason, errors }))
    }
    const revoked = await person.createInvitation({})
    const { invitation_id } = revoked
    expect(await person.revokeInvitation({ invitation_id })).toMatchObject({ status: 'revoked', url: null })
    expect(await ask(revoked.url)).toMatchObject({ code: 'E4008', reason: 'invitation_revoked' })
    const { requester } = await agent.requestPeck({
      target_duckling_id: target,
      action: 'book:room',
      scope: 'limited',
    })
    const own = await person.createInvitation({ agent_id: requester.agent_id })
    expect(await ask(own.url)).toMatchObject({ target_duckling_id: target })
    const unknown = (own.url ?? '').replace(/[^/]{3}$/, (end) => (end === '000' ? '111' : '000'))
    expect(await ask(unknown)).toMatchObject({ code: 'E4005', reason: 'invitation_not_found' })
    const elsewhere = 'https://elsewhere.example/ask/00000000000000000000000000'
    expect(await ask(elsewhere)).toMatchObject({ code: 'E4000', errors: [{ field: 'target' }] })
    await expect(agent.createInvitation({})).rejects.toMatchObject({ reason: expect.any(String) })
    const missing = { agent_id: 'AGT-00000000000000000000000000' }
    await expect(person.createInvitation(missing)).rejects.toMatchObject({ reason: 'agent_not_registered' })
  })

  it.each([
    [{ action: 'no action' }, 'action'],
    [{ unknown: 1 }, 'unknown'],
    [{ expires_in: 1 }, 'expires_in'],
    [{ target_duckling_id: undefined }, 'target_duckling_id'],
  ])('names the wrong field of %j', async (change, field) => {
    const { agent, target } = await start()
    const question = {
      target_duckling_id: target,
      action: 'send:email',
      scope: 'limited',
      ...change,
    } as const
    await expect(agent.requestPeck(question)).rejects.toMatchObject({ code: 'E4000', errors: [{ field }] })
  })
})

describe('the fake', () => {
  it('has the refusals of the service', () => {
    for (const [reason, failure] of Object.entries(failures)) {
      const known = failureTable[reason as keyof typeof failures]
      expect({ ...known, ...errorCodes[known.code] }, reason).toEqual(failure)
    }
  })

  it.each(numbers)(
    'reads the number $text as the service does: accepted $accepted',
    async ({ text, accepted }) => {
      const { url, fetch } = new FakeBeak()
      const body = `{"grant_token":"none","params":{"ids":[${text}]}}`
      const answer = await fetch(`${url}/beak/peck/check`, { method: 'POST', body })
      expect(await answer.json()).toMatchObject(
        accepted
          ? { reason: 'grant_token_invalid' }
          : { code: 'E4000', errors: [{ field: 'params.ids.0', message: inexactNumber }] },
      )
    },
  )

  it('lets the test accounts answer by its clock', async () => {
    const fake = new FakeBeak({ now: '2026-11-24T09:00:00Z' })
    const agent = fake.agent()
    const ask = (target: string) => agent.requestPermission({ target, action: 'send:email' })
    expect(await ask('@always-approves')).toMatchObject({ refusal: null })
    expect(await ask('@always-rejects')).toMatchObject({ refusal: { kind: 'rejected' } })
    const late = ask('@approves-in-5s')
    await fake.waiting()
    fake.clock.advance('5s')
    expect((await late).peck.decided_at).toBe('2026-11-24T09:00:05.000Z')
    const never = ask('@never-answers')
    await fake.waiting()
    fake.clock.advance('1d')
    expect(await never).toMatchObject({ refusal: { kind: 'expired' } })
    expect(fake.calls.at(-1)).toMatchObject({ method: 'GET', path: '/beak/peck/status', status: 200 })
  })

  it('answers at once by a rule, without a call that waits', async () => {
    const fake = new FakeBeak()
    const { handle: target } = fake.person('teal')
    const agent = fake.agent()
    const rule_id = fake.rule(target, 'pay:invoice')
    fake.rule(target, 'delete:file', 'reject')
    const paid = await agent.requestPermission({ target, action: 'pay:invoice', params })
    expect(paid).toMatchObject({ refusal: null, peck: { decided_by: { type: 'rule', rule_id } } })
    const refused = await agent.requestPermission({ target, action: 'delete:file' })
    expect(refused.refusal).toEqual({ kind: 'rejected', reason: 'Reject without asking me: delete:file.' })
    expect(fake.calls.map(({ path }) => path)).toEqual(['/beak/peck/request', '/beak/peck/request'])
    await fake.shop().usePermission(paid.permission?.grant_token ?? '', params)
  })

  it('takes an invitation link in requestPermission until it ends by the clock', async () => {
    const fake = new FakeBeak()
    const { url: link } = await fake.person('teal').client.createInvitation({ expires_in: 3600 })
    const ask = () => fake.agent().requestPermission({ target: link ?? '', action: 'book:table' })
    const answer = ask()
    fake.approve(await fake.waiting())
    expect((await answer).refusal).toBeNull()
    fake.clock.advance('1h')
    await expect(ask()).rejects.toMatchObject({ reason: 'invitation_expired' })
  })

  it('lets the test decide while a call waits, and refuses an expired or revoked permission', async () => {
    const fake = new FakeBeak()
    const { handle } = fake.person('teal')
    const granted = async () => {
      const answer = fake.agent().requestPermission({ target: handle, action: 'send:email' })
      fake.approve(await fake.waiting())
      const { permission } = await answer
      if (permission === null) throw new Error('there is no permission')
      return permission
    }
    const [expired, revoked] = [await granted(), await granted()]
    fake.revoke(revoked.peck_id)
    await expect(fake.shop().usePermission(revoked)).rejects.toMatchObject({ refusal: 'revoked' })
    fake.clock.advance('1d')
    await expect(fake.shop().usePermission(expired)).rejects.toMatchObject({ refusal: 'expired' })
  })

  it('signs what verifiers accept with allowTest only, and no other fake accepts', async () => {
    const fake = new FakeBeak()
    const answer = await fake.agent().requestPermission({ target: '@always-approves', action: 'send:email' })
    const token = answer.permission?.grant_token ?? ''
    const options = { issuer: fake.url, fetch: fake.fetch, require: 'service' as const }
    const inspect = (more: object) => inspectGrantToken(token, { ...options, ...more })
    expect(await inspect({})).toMatchObject({ ok: false, fault: { reason: 'test_credential' } })
    expect(await inspect({ allowTest: true })).toMatchObject({ ok: true })
    const other = new FakeBeak()
    expect(await inspect({ allowTest: true, fetch: other.fetch })).toMatchObject({
      ok: false,
      fault: { reason: 'unknown_key' },
    })
    await expect(other.shop().usePermission(token)).rejects.toMatchObject({ refusal: 'invalid' })
    const ordinary = new Beak({ url: fake.url, fetch: fake.fetch })
    await expect(ordinary.consumeGrant({ grant_token: token })).rejects.toThrow(TestCredentialError)
    const { receipt } = await fake.shop().usePermission(token)
    expect(await verifyOutcome(receipt, { ...options, allowTest: true })).toMatchObject({ ok: true })
    expect(await verifyOutcome(receipt, options)).toMatchObject({ ok: false })
  })
})
