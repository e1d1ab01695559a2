/** Invitation links from end to end: who may ask with them, and when they stop. */
import { describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { suspendAccount } from '@/lib/domain/accounts/suspend'
import { createInvitation } from '@/lib/domain/invitations/create'
import { purge } from '@/lib/domain/retention/purge'
import { anAgent } from '@/lib/factories/agents'
import { type ADuckling, aDuckling } from '@/lib/factories/ducklings'
import { config } from '@/lib/kernel/config'
import { hostContext } from '@/lib/kernel/request/context'
import { day, readClock, secondsAfter } from '@/lib/kernel/runtime/clock'

const line = 'POST /beak/invitation/create'

async function anInvitation({ token }: ADuckling, body: object = {}) {
  const answer = await call(line, { token, body })
  expect(answer.status).toBe(200)
  return answer.body
}

interface Credential {
  token?: string
  key?: string
}

const askWith = (credential: Credential, target: string, body: object = {}) =>
  call('POST /beak/peck/request', {
    token: credential.token,
    key: credential.key,
    body: { target, action: 'read:calendar', scope: 'limited', ...body },
  } as Parameters<typeof call>[1])

const inboxOf = async ({ token }: ADuckling, list = '') =>
  (await call(`GET /beak/peck/inbox${list}`, { token })).body
const reasonOf = ({ status, body }: { status: number; body: { reason: string } }) => [status, body.reason]
const tokenIn = (url: string) => url.slice(url.lastIndexOf('/') + 1)
const view = (url: string) => call(`GET /beak/invitation/view?token=${tokenIn(url)}`)

describe('a link', () => {
  it('lets a stranger ask, and the request waits in the first list as a first contact', async () => {
    const [owner, stranger] = [await aDuckling(), await aDuckling()]
    await call('POST /beak/profile/update', { token: owner.token, body: { directory_visible: false } })
    const made = await anInvitation(owner, { note: 'Shop page' })
    expect(made).toEqual({
      invitation_id: expect.stringMatching(/^INV-/),
      status: 'active',
      url: expect.stringMatching(/^http.*\/ask\/[0-9A-HJKMNP-TV-Z]{26}$/),
      agent_id: null,
      action: null,
      uses: null,
      used: 0,
      last_used_at: null,
      note: 'Shop page',
      created_at: expect.any(String),
      expires_at: null,
    })
    const { status, body } = await askWith(stranger, made.url)
    expect([status, body.target_duckling_id]).toEqual([200, owner.id])
    expect(JSON.stringify(body)).not.toContain('Shop page')
    const inbox = await inboxOf(owner)
    expect(inbox.items).toMatchObject([{ peck_id: body.peck_id, first_contact: true }])
    const seen = await call(`GET /beak/peck/status?peck_id=${body.peck_id}`, { token: owner.token })
    expect(seen.body.risk.novelty.map(({ rule }: { rule: string }) => rule)).toEqual(
      expect.arrayContaining(['first_time_asker', 'invited']),
    )
  })

  it('lets ask whom the lowest tier keeps out, from T1 on', async () => {
    const [owner, stranger] = [await aDuckling(), await aDuckling()]
    const unproved = await aDuckling({ tier: 'T0' })
    await call('POST /beak/profile/update', { token: owner.token, body: { min_peck_tier: 'T3' } })
    const { url } = await anInvitation(owner)
    const direct = await call('POST /beak/peck/request', {
      token: stranger.token,
      body: { target_duckling_id: owner.id, action: 'read:calendar', scope: 'limited' },
    })
    expect(reasonOf(direct)).toEqual([403, 'tier_too_low'])
    expect((await askWith(stranger, url)).status).toBe(200)
    const refused = await askWith(unproved, url)
    expect([...reasonOf(refused), refused.body.required_tier]).toEqual([403, 'tier_too_low', 'T1'])
  })

  // security: stranger-33
  it('takes nothing from the budget of strangers, and beyond its own budget still fills the first list', async () => {
    const owner = await aDuckling()
    const { url } = await anInvitation(owner)
    const spent = { key: owner.id, tokens: 0, refilledAt: readClock() }
    await db().budget.createMany({ data: ['strangers', 'invited'].map((name) => ({ name, ...spent })) })
    const { body } = await askWith(await aDuckling(), url)
    const { items, strangers } = await inboxOf(owner)
    expect([items.length, items[0].peck_id, strangers]).toEqual([1, body.peck_id, 0])
    // Announced with the daily digest, as those of strangers: a link that is posted everywhere must not ring all day.
    expect(await db().peckMail.findUnique({ where: { peckId: body.peck_id } })).toMatchObject({
      remindAt: null,
    })
  })

  it('is announced with a reminder, as a request of a known asker', async () => {
    const [owner, stranger] = [await aDuckling(), await aDuckling()]
    const { body } = await askWith(stranger, (await anInvitation(owner)).url)
    const mail = await db().peckMail.findUnique({ where: { peckId: body.peck_id } })
    expect(mail?.remindAt).toBeInstanceOf(Date)
  })

  // security: stranger-31
  it('is not spent more often than it allows by 50 simultaneous requests', async () => {
    const owner = await aDuckling()
    const { url, invitation_id } = await anInvitation(owner, { uses: 3 })
    const askers = await Promise.all(Array.from({ length: 50 }, () => aDuckling()))
    const answers = await Promise.all(askers.map((asker) => askWith(asker, url)))
    const refused = answers.filter(({ status }) => status !== 200)
    expect(refused).toHaveLength(47)
    expect(new Set(refused.map((answer) => String(reasonOf(answer))))).toEqual(
      new Set(['409,invitation_used_up']),
    )
    expect(await db().peck.count({ where: { invitationId: invitation_id } })).toBe(3)
    const { items } = (await call('GET /beak/invitation/list', { token: owner.token })).body
    expect(items).toMatchObject([{ invitation_id, status: 'used_up', uses: 3, used: 3, url: null }])
  })

  it('spends nothing for an identical request, a repeated one and a refused one', async () => {
    const [owner, stranger] = [await aDuckling(), await aDuckling()]
    const { url } = await anInvitation(owner, { uses: 1 })
    const headers = { 'Idempotency-Key': 'one' }
    const body = { target: url, action: 'read:calendar', scope: 'limited' }
    expect((await askWith(stranger, url, { scope: 'standing' })).status).toBe(403)
    const first = await call('POST /beak/peck/request', { token: stranger.token, headers, body })
    const replayed = await call('POST /beak/peck/request', { token: stranger.token, headers, body })
    const repeated = await askWith(stranger, url)
    expect(new Set([first, replayed, repeated].map((answer) => answer.body.peck_id)).size).toBe(1)
    expect(repeated.body.repeated).toBe(true)
    const other = await askWith(stranger, url, { action: 'read:mail' })
    expect(reasonOf(other)).toEqual([409, 'invitation_used_up'])
  })

  it('is for one agent and one action when it says so', async () => {
    const [owner, operator] = [await aDuckling(), await aDuckling()]
    const [agent, other] = [await anAgent(operator), await anAgent(operator)]
    const { url } = await anInvitation(owner, { agent_id: agent.agentId, action: 'read:calendar' })
    const shown = (await view(url)).body
    expect([shown.action, shown.one_agent]).toEqual(['read:calendar', true])
    expect(JSON.stringify(shown)).not.toContain(agent.agentId)
    for (const refused of [
      await askWith({ key: other.beakKey }, url),
      await askWith(operator, url),
      await askWith({ key: agent.beakKey }, url, { action: 'read:mail' }),
    ])
      expect(reasonOf(refused)).toEqual([403, 'invitation_mismatch'])
    expect((await askWith({ key: agent.beakKey }, url)).status).toBe(200)
  })

  // security: stranger-32
  it('does not get past a block, whose answer looks as usual and spends a use', async () => {
    const [owner, thief, friend] = [await aDuckling(), await aDuckling(), await aDuckling()]
    await call('POST /beak/peck/block', { token: owner.token, body: { duckling_id: thief.id } })
    const { url } = await anInvitation(owner, { uses: 2 })
    const [hidden, seen] = [await askWith(thief, url), await askWith(friend, url)]
    expect(Object.keys(hidden.body).sort()).toEqual(Object.keys(seen.body).sort())
    const { items } = await inboxOf(owner)
    expect([items.length, items[0].peck_id]).toEqual([1, seen.body.peck_id])
    expect(reasonOf(await askWith(await aDuckling(), url))).toEqual([409, 'invitation_used_up'])
  })

  // security: stranger-32
  it('does not get past a pause after a rejection', async () => {
    const [owner, stranger] = [await aDuckling(), await aDuckling()]
    const { url } = await anInvitation(owner)
    const { peck_id } = (await askWith(stranger, url)).body
    await call('POST /beak/peck/reject', { token: owner.token, body: { peck_id, reason: 'No.' } })
    expect(reasonOf(await askWith(stranger, url))).toEqual([429, 'peck_recently_rejected'])
  })

  it('stops when it is revoked or expires, and when its owner is suspended or closes the account', async () => {
    const [owner, stranger] = [await aDuckling(), await aDuckling()]
    const revoked = await anInvitation(owner)
    const expired = await anInvitation(owner, { expires_in: 60 })
    const left = await anInvitation(owner)
    const { invitation_id } = revoked
    await call('POST /beak/invitation/revoke', { token: owner.token, body: { invitation_id } })
    await db().invitation.update({
      where: { id: expired.invitation_id },
      data: { expiresAt: secondsAfter(readClock(), -1) },
    })
    const refusals = async ({ url }: { url: string }) => [
      reasonOf(await askWith(stranger, url)),
      reasonOf(await view(url)),
    ]
    const twice = (...refusal: [number, string]) => [refusal, refusal]
    expect(await refusals(revoked)).toEqual(twice(409, 'invitation_revoked'))
    expect(await refusals(expired)).toEqual(twice(409, 'invitation_expired'))
    await suspendAccount(hostContext({ id: owner.id, trustTier: 'T1' }, readClock()), null)
    expect(await refusals(left)).toEqual(twice(404, 'invitation_not_found'))
    const closing = await aDuckling()
    const last = await anInvitation(closing, { note: 'Private' })
    expect((await call('POST /beak/account/delete', { token: closing.token })).status).toBe(200)
    expect(await refusals(last)).toEqual(twice(404, 'invitation_not_found'))
    expect(await db().invitation.count({ where: { ducklingId: closing.id } })).toBe(0)
  })

  // security: stranger-36
  it('tells nothing about its owner after its end', async () => {
    const owner = await aDuckling()
    const { url, invitation_id } = await anInvitation(owner)
    await call('POST /beak/invitation/revoke', { token: owner.token, body: { invitation_id } })
    const text = JSON.stringify((await view(url)).body)
    for (const secret of [owner.id, owner.displayName, owner.email, invitation_id])
      expect(text).not.toContain(secret)
  })

  it('is deleted 30 days after its end', async () => {
    const owner = await aDuckling()
    const { invitation_id } = await anInvitation(owner)
    await anInvitation(owner, { expires_in: 60 })
    await call('POST /beak/invitation/revoke', { token: owner.token, body: { invitation_id } })
    const left = async (days: number) => {
      await purge(secondsAfter(readClock(), days * day))
      return db().invitation.count({ where: { ducklingId: owner.id } })
    }
    expect([await left(29), await left(31)]).toEqual([2, 0])
  })
})

describe('the stored link', () => {
  // security: stranger-34
  it('is not in the database in clear', async () => {
    const owner = await aDuckling()
    const { url, invitation_id } = await anInvitation(owner)
    const row = await db().invitation.findUniqueOrThrow({ where: { id: invitation_id } })
    const text = JSON.stringify(row, (_, value) =>
      value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value,
    )
    expect(text).not.toContain(tokenIn(url))
    expect(row.sealed).not.toBeNull()
  })
})

describe('target', () => {
  it.each([
    ['a name', (owner: ADuckling) => owner.displayName],
    ['a link of another service', (_: ADuckling, url: string) => url.replace(/\/\/[^/]+/, '//other.example')],
    ['a link with a query', (_: ADuckling, url: string) => `${url}?x=1`],
    ['another page', (_: ADuckling, url: string) => url.replace('/ask/', '/verify/')],
    ['a link with a user name', (_: ADuckling, url: string) => url.replace('//', '//user@')],
    ['a part of a token', (_: ADuckling, url: string) => url.slice(0, -1)],
  ])('refuses %s with an error that shows the form', async (_, targetOf) => {
    const [owner, stranger] = [await aDuckling(), await aDuckling()]
    const { url } = await anInvitation(owner)
    const { status, body } = await askWith(stranger, targetOf(owner, url))
    expect([status, body.errors]).toEqual([
      400,
      [{ field: 'target', message: expect.stringContaining('/ask/…') }],
    ])
  })

  it('refuses a target beside target_duckling_id, and none', async () => {
    const [owner, stranger] = [await aDuckling(), await aDuckling()]
    const { url } = await anInvitation(owner)
    const both = await askWith(stranger, url, { target_duckling_id: owner.id })
    const none = await call('POST /beak/peck/request', {
      token: stranger.token,
      body: { action: 'read:calendar', scope: 'limited' },
    })
    for (const { status, body } of [both, none])
      expect([status, body.errors.map(({ field }: { field: string }) => field)]).toEqual([
        400,
        ['target_duckling_id'],
      ])
  })

  // security: stranger-30
  it('answers a guessed link like any unknown one', async () => {
    const stranger = await aDuckling()
    const guessed = `${config().baseUrl}/ask/${'0'.repeat(26)}`
    expect(reasonOf(await askWith(stranger, guessed))).toEqual([404, 'invitation_not_found'])
  })
})

describe('making links', () => {
  it('is refused for the 51st that works, and for an agent that is not registered', async () => {
    const owner = await aDuckling()
    for (let count = 0; count < 50; count++) await createInvitation(await owner.context(), {})
    expect(reasonOf(await call(line, { token: owner.token, body: {} }))).toEqual([
      409,
      'too_many_invitations',
    ])
    const body = { agent_id: 'AGT-0000000000000000' }
    expect(reasonOf(await call(line, { token: (await aDuckling()).token, body }))).toEqual([
      404,
      'agent_not_registered',
    ])
  })

  it('is in the log of the owner, without the token', async () => {
    const owner = await aDuckling()
    const { url, invitation_id } = await anInvitation(owner)
    await call('POST /beak/invitation/revoke', { token: owner.token, body: { invitation_id } })
    const events = await db().auditEvent.findMany({
      where: { ducklingId: owner.id, action: { startsWith: 'invitation.' } },
      orderBy: { seq: 'asc' },
    })
    expect(events.map(({ action, targets }) => [action, targets])).toEqual(
      ['invitation.created', 'invitation.revoked'].map((action) => [
        action,
        [{ type: 'invitation', id: invitation_id }],
      ]),
    )
    expect(JSON.stringify(events)).not.toContain(tokenIn(url))
  })

  it('is in the export of the account', async () => {
    const owner = await aDuckling()
    const made = await anInvitation(owner, { note: 'For the shop' })
    const { body } = await call('GET /beak/account/export', { token: owner.token })
    expect(body.invitations).toEqual([made])
  })

  // security: stranger-34
  it('is no way for others to see a link', async () => {
    const [owner, thief] = [await aDuckling(), await aDuckling()]
    await anInvitation(owner)
    expect((await call('GET /beak/invitation/list', { token: thief.token })).body.items).toEqual([])
  })
})
