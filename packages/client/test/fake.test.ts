/** What only the fake has: its refusals, its clock, and decisions by the test. */
import { Beak, TestCredentialError } from '@beak/client'
import { FakeBeak } from '@beak/client/testing'
import { failures } from '@beak/client/testing/failures'
import { inspectGrantToken, verifyOutcome } from '@beak/client/verify'
import { inexactNumber } from '@beak/proofs/exact-numbers'
import { describe, expect, it } from 'vitest'
import { errorCodes, failureTable } from '@/lib/kernel/request/failures'
import numbers from '../../contract/numbers.json'

const params = { seats: 2 }

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

  it('uses no permission and answers by no rule while the person has paused everything', async () => {
    const fake = new FakeBeak()
    const { handle: target } = fake.person('teal')
    const agent = fake.agent()
    fake.rule(target, 'pay:invoice')
    const ask = () => agent.requestPermission({ target, action: 'pay:invoice', params }, { wait: 0 })
    const { permission } = await ask()
    if (permission === null) throw new Error('there is no permission')
    fake.pause(target)
    await expect(fake.shop().usePermission(permission, params)).rejects.toMatchObject({ refusal: 'paused' })
    expect(await ask()).toMatchObject({ refusal: { kind: 'pending' } })
    fake.resume(target)
    expect(await fake.shop().usePermission(permission, params)).toMatchObject({ uses_left: 0 })
  })

  it('gives no permission for a request in free text, and takes no rule for it', async () => {
    const fake = new FakeBeak()
    const favour = { action: 'ask:favour', params: { favour: 'borrow your car on Sunday' } }
    const answer = await fake.agent().requestPermission({ target: '@always-approves', ...favour })
    expect(answer).toMatchObject({ permission: null, peck: { status: 'approved' } })
    expect(answer.refusal).toEqual({ kind: 'ended', grant_status: 'expired' })
    expect(() => fake.rule('@always-approves', 'ask:favour')).toThrow('No rule answers ask:favour')
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

  it('lets the test undo an approval while the call waits, and no rule answers the request again', async () => {
    const fake = new FakeBeak()
    const { handle } = fake.person('teal')
    const answer = fake.agent().requestPermission({ target: handle, action: 'send:email' })
    const peckId = await fake.waiting()
    fake.approve(peckId)
    fake.rule(handle, 'send:email')
    const again = fake.undo(peckId) ?? ''
    fake.clock.advance('1h')
    fake.approve(again)
    expect(await answer).toMatchObject({ refusal: null, peck: { peck_id: again, supersedes: peckId } })
  })

  it('refuses to undo what a rule answered', async () => {
    const fake = new FakeBeak()
    const { handle: target } = fake.person('teal')
    fake.rule(target, 'pay:invoice')
    const { peck, permission } = await fake.agent().requestPermission({ target, action: 'pay:invoice' })
    expect(() => fake.undo(peck.peck_id)).toThrow('nothing_to_undo')
    expect(permission && (await fake.shop().usePermission(permission)).uses_left).toBe(0)
    expect(() => fake.undo(peck.peck_id)).toThrow('grant_not_active')
  })

  it('answers an undone request of a test account as the account does', async () => {
    const fake = new FakeBeak()
    const agent = fake.agent()
    const { peck } = await agent.requestPermission({ target: '@always-approves', action: 'send:email' })
    fake.clock.advance('29s')
    const again = fake.undo(peck.peck_id)
    const { expires_at } = peck
    const expected = { peck_id: again, grant_status: 'active', expires_at }
    expect(await agent.waitForDecision(peck.peck_id)).toMatchObject(expected)
    fake.clock.advance('30s')
    expect(() => fake.undo(again ?? '')).toThrow('nothing_to_undo')
  })

  it('does not ask again after the end of the undone request', async () => {
    const fake = new FakeBeak()
    const agent = fake.agent()
    const { handle: target } = fake.person('teal')
    const { peck_id } = await agent.requestPeck({ target, action: 'send:email', expires_in: 60 })
    fake.clock.advance('40s')
    fake.approve(peck_id)
    fake.clock.advance('20s')
    expect(fake.undo(peck_id)).toBeNull()
    expect(await agent.getPeck({ peck_id })).toMatchObject({ grant_status: 'revoked' })
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
