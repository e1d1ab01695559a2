/** What a rejection may say besides its reason. */
import { beforeEach, describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { type AnAgent, anAgent } from '@/lib/factories/agents'
import { type ADuckling, aDuckling } from '@/lib/factories/ducklings'

let target: ADuckling
let agent: AnAgent
beforeEach(async () => {
  target = await aDuckling()
  agent = await anAgent(await aDuckling())
})

const ask = (change: object = {}) =>
  call('POST /beak/peck/request', {
    key: agent.beakKey,
    body: {
      target_duckling_id: target.id,
      action: 'pay:invoice',
      scope: 'timed',
      grant_expires_in: 3600,
      params: { total: { amount: 4800, currency: 'EUR' }, tip: '5 EUR' },
      ...change,
    },
  })
const reject = (peckId: string, terms: object) =>
  call('POST /beak/peck/reject', {
    token: target.token,
    body: { peck_id: peckId, reason: 'Ask for less.', ...terms },
  })

describe('a rejection', () => {
  it('tells the asker as data what the target would approve, and does not pause', async () => {
    const terms = {
      max_amount: { amount: '50.00', currency: 'EUR' },
      scope: 'limited',
      grant_expires_in: 600,
    }
    const { body: peck } = await ask()
    const { status, body } = await reject(peck.peck_id, { would_approve: terms })
    expect([status, body.status, body.would_approve]).toEqual([200, 'rejected', terms])
    const seen = await call(`GET /beak/peck/status?peck_id=${peck.peck_id}`, { key: agent.beakKey })
    expect([seen.body.would_approve, seen.body.unclear]).toEqual([terms, undefined])
    expect((await ask()).status).toBe(200)
  })

  it('tells the asker that something was unclear, and does not pause or count towards a pause', async () => {
    for (let turn = 0; turn < 4; turn++) {
      const { status, body } = await ask()
      expect(status).toBe(200)
      expect((await reject(body.peck_id, { unclear: true })).body.unclear).toBe(true)
    }
    const { body } = await ask()
    await reject(body.peck_id, {})
    expect((await ask()).body.reason).toBe('peck_recently_rejected')
    expect((await ask({ action: 'read:profile' })).status).toBe(200)
  })

  // security: asker-29
  it('still takes from the budget of the asker, so that an agent cannot go on without end', async () => {
    let refused = null
    for (let turn = 0; turn < 21 && refused === null; turn++) {
      const { status, body } = await ask()
      if (status === 200) await reject(body.peck_id, { unclear: true })
      else refused = [turn, body.reason]
    }
    expect(refused).toEqual([20, 'too_many_pecks'])
  })

  it.each([
    [{ would_approve: {} }, 'would_approve'],
    [{ would_approve: { scope: 'limited' }, unclear: true }, 'unclear'],
    [{ would_approve: { scope: 'timed' } }, 'would_approve.scope'],
    [{ would_approve: { grant_expires_in: 3600 } }, 'would_approve.grant_expires_in'],
    [{ would_approve: { max_amount: { amount: '4800', currency: 'EUR' } } }, 'would_approve.max_amount'],
    [{ would_approve: { max_amount: { amount: '50', currency: 'USD' } } }, 'would_approve.max_amount'],
    [
      { would_approve: { max_amount: { amount: '5e1', currency: 'EUR' } } },
      'would_approve.max_amount.amount',
    ],
    [{ would_approve: { scope: 'limited', params: {} } }, 'would_approve.params'],
    [{ unclear: false }, 'unclear'],
  ])('refuses %j', async (terms, field) => {
    const { body: peck } = await ask()
    const { status, body } = await reject(peck.peck_id, terms)
    expect([status, body.errors.map((error: { field: string }) => error.field)]).toEqual([400, [field]])
    expect(
      (await call(`GET /beak/peck/status?peck_id=${peck.peck_id}`, { key: agent.beakKey })).body.status,
    ).toBe('pending')
  })
})
