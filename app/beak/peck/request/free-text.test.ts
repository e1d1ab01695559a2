/** What somebody tries so that a request in free text permits something, or is approved without being read. */
import { freeTextAction } from '@beak/decision/free-text'
import { beforeEach, describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { grantTokensOf } from '@/lib/domain/pecks/grant/tokens'
import { findPeck } from '@/lib/domain/pecks/rows'
import { type AnAgent, anAgent } from '@/lib/factories/agents'
import { type ADuckling, aDuckling } from '@/lib/factories/ducklings'
import { aPasskey } from '@/lib/factories/passkeys'
import { anApprovedPeck } from '@/lib/factories/pecks'
import { aRule, shopRule } from '@/lib/factories/rules'

const params = { favour: 'borrow your car on Sunday' }
const request = (credential: object, target: ADuckling, change: object = {}) =>
  call('POST /beak/peck/request', {
    ...credential,
    body: { target_duckling_id: target.id, action: freeTextAction, scope: 'limited', params, ...change },
  })
const post = (path: string, { token }: ADuckling, body: object) =>
  call(`POST /beak/peck/${path}` as 'POST /beak/peck/approve', { token, body })

let nadia: ADuckling
let ben: ADuckling
let agent: AnAgent
beforeEach(async () => {
  nadia = await aDuckling()
  ben = await aDuckling()
  agent = await anAgent(nadia)
})

/** The same request from a friend, from the person's own agent, and from an agent of a friend. */
async function fromAll(): Promise<{ id: string; credential: object }[]> {
  const other = await anAgent(ben)
  const credentials = [{ token: ben.token }, { key: agent.beakKey }, { key: other.beakKey }]
  return Promise.all(
    credentials.map(async (credential) => ({
      id: (await request(credential, nadia)).body.peck_id as string,
      credential,
    })),
  )
}

describe('the approval of a request in free text', () => {
  it('is an answer and no permission, whoever asks', async () => {
    for (const { id, credential } of await fromAll()) {
      const approved = await post('approve', nadia, { peck_id: id, grant_expires_in: 86_400 })
      expect(approved.body).toMatchObject({ status: 'approved', grant_status: 'expired' })
      const seen = await call(`GET /beak/peck/status?peck_id=${id}`, credential)
      expect(seen.body.status).toBe('approved')
      expect(seen.body).not.toHaveProperty('grant_token')
      const { body } = await call('GET /beak/peck/history', credential)
      expect(JSON.stringify(body)).not.toContain('grant_token')
      expect(await db().grantToken.count({ where: { peckId: id } })).toBe(0)
      expect((await post('revoke', nadia, { peck_id: id })).body.current_status).toBe('expired')
    }
    const living = await call('GET /beak/peck/history?grant_status=active', { token: nadia.token })
    expect(living.body.items).toEqual([])
  })

  it('makes no token for an instance whose clock is behind', async () => {
    const { body } = await request({ token: ben.token }, nadia)
    await post('approve', nadia, { peck_id: body.peck_id })
    const peck = await findPeck(body.peck_id)
    const { caller, now } = await ben.context()
    if (peck === null) throw new Error('the peck is missing')
    const behind = new Date(now.getTime() - 60_000)
    expect(await grantTokensOf(caller, [peck], behind)).toEqual(new Map())
  })

  it('has a receipt, and can be undone for some seconds', async () => {
    const { body } = await request({ token: ben.token }, nadia)
    await post('approve', nadia, { peck_id: body.peck_id })
    const receipt = await call(`GET /beak/peck/receipt?peck_id=${body.peck_id}`, { token: ben.token })
    expect(receipt.status).toBe(200)
    const undone = await post('undo', nadia, { peck_id: body.peck_id })
    expect(undone.body).toMatchObject({ status: 'approved', grant_status: 'revoked' })
    expect(undone.body.superseded_by).toMatch(/^PECK-/)
  })
})

describe('approving without reading', () => {
  it('is not possible together with other requests, not even of a known asker or one’s own agent', async () => {
    await anApprovedPeck(ben, nadia)
    await anApprovedPeck(agent, nadia)
    const ids = (await fromAll()).map(({ id }) => id)
    const { body } = await post('decide', nadia, { decision: 'approve', peck_ids: ids })
    expect(body.items.map(({ status }: { status: string }) => status)).toEqual(Array(3).fill('pending'))
    expect(body.items.slice(0, 2)).toMatchObject(Array(2).fill({ outcome: 'free_text' }))
    const rejected = await post('decide', nadia, { decision: 'reject', reason: 'No', peck_ids: ids })
    expect(rejected.body.items).toMatchObject(Array(3).fill({ outcome: 'decided' }))
  })

  it.each(['approve', 'reject', 'ask'] as const)(
    'is not possible with a rule that would %s',
    async (answer) => {
      const { authenticator } = await aPasskey(nadia)
      const rule = shopRule(agent.agentId, { answer, actions: ['read:weather', freeTextAction] })
      await expect(aRule(nadia, authenticator, rule)).rejects.toMatchObject({
        extras: { errors: [{ field: 'rule.actions' }] },
      })
    },
  )

  it('is not possible with a rule that got into the database', async () => {
    const { authenticator } = await aPasskey(nadia)
    const params = { favour: { equals: 'borrow your car on Sunday' } }
    const sent = shopRule(agent.agentId, { actions: ['read:weather'], params, reasons: ['unlisted'] })
    const { rule_id } = await aRule(nadia, authenticator, sent)
    const row = await db().rule.findUniqueOrThrow({ where: { id: rule_id } })
    const named = row.rule.replace('read:weather', freeTextAction)
    await db().rule.update({ where: { id: rule_id }, data: { rule: named, actions: [freeTextAction] } })
    const { body } = await request({ key: agent.beakKey }, nadia)
    expect(body.status).toBe('pending')
  })

  it('has at least a medium risk, and a high one for codes and large amounts', async () => {
    const riskOf = async (sent: object) => {
      const { body } = await request({ key: agent.beakKey }, nadia, { params: sent })
      return (await call(`GET /beak/peck/status?peck_id=${body.peck_id}`, { token: nadia.token })).body.risk
        .level
    }
    expect(await riskOf({ favour: 'read the weather' })).toBe('medium')
    expect(await riskOf({ favour: 'tell me the code that Beak has just sent you' })).toBe('high')
    expect(await riskOf({ favour: 'lend me something', amount: '1500.00', currency: 'EUR' })).toBe('high')
  })
})

describe('a link that leaked', () => {
  const linkOf = async (note: string) =>
    (await call('POST /beak/invitation/create', { token: nadia.token, body: { note } })).body.url as string
  const by = (target: string, { token }: ADuckling, favour: string) =>
    call('POST /beak/peck/request', {
      token,
      body: { target, action: freeTextAction, scope: 'limited', params: { favour } },
    })

  it('lets a stranger have ten requests waiting and no more', async () => {
    const url = await linkOf('Family')
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) => by(url, ben, `borrow your car ${n} times`)),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10)
    const refused = answers.filter(({ status }) => status !== 200)
    expect(new Set(refused.map(({ body }) => body.reason))).toEqual(new Set(['too_many_pending_pecks']))
  })

  it('is named to its owner with each request, and its note to nobody else', async () => {
    const { body } = await by(await linkOf('Family'), ben, 'borrow your car')
    const detailsFor = async ({ token }: ADuckling) =>
      (await call(`GET /beak/peck/details?peck_ids=${body.peck_id}`, { token })).body.items[0].invitation
    expect(await detailsFor(nadia)).toEqual({
      invitation_id: expect.stringMatching(/^INV-/),
      note: 'Family',
      created_at: expect.any(String),
    })
    expect(await detailsFor(ben)).toBeNull()
  })
})

describe('400', () => {
  it.each([
    ['no sentence', { params: {} }, 'params'],
    ['other params', { params: { favour: 'x', amount_due: 5 } }, 'params'],
    ['a nested value', { params: { favour: { text: 'x' } } }, 'params'],
    ['an amount without a currency', { params: { favour: 'x', amount: '40.00' } }, 'params'],
    ['another direction of writing', { params: { favour: 'pay \u202e05' } }, 'params'],
    ['a second line', { params: { favour: 'car\nBeak: approved' } }, 'params'],
    ['a day that does not exist', { params: { favour: 'x', date: '2026-02-30' } }, 'params'],
    ['a scope that lasts', { scope: 'timed' }, 'scope'],
    ['a lifetime', { grant_expires_in: 60 }, 'grant_expires_in'],
    ['a service that would act', { audience: 'shop.example.com' }, 'audience'],
    ['a demand', { require: 'signed' }, 'require'],
    ['types of params', { param_types: { favour: 'money' } }, 'param_types'],
  ])('refuses %s', async (_, change, field) => {
    const { status, body } = await request({ token: ben.token }, nadia, change)
    expect([status, body.errors?.map((error: { field: string }) => error.field)]).toEqual([400, [field]])
  })
})
