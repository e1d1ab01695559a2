import { describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { endRule, pauseAllRules } from '@/lib/domain/pecks/rules/commands'
import { changeEvents, placeByDanger } from '@/lib/domain/sessions/recent-changes'
import { anAgent } from '@/lib/factories/agents'
import { type ADuckling, aDuckling } from '@/lib/factories/ducklings'
import { type APasskey, aPasskey } from '@/lib/factories/passkeys'
import { aPeck } from '@/lib/factories/pecks'
import { aRule, shopRule } from '@/lib/factories/rules'
import { anotherSession } from '@/lib/fixtures/accounts'
import { takeovers } from '@/lib/infrastructure/mail/changes'
import { day, readClock, secondsAfter } from '@/lib/kernel/runtime/clock'

const webhookBody = { url: 'https://hooks.example.com/beak' }
const overviewOf = async (token: string) => (await call('GET /beak/profile/overview', { token })).body

describe('200', () => {
  it('returns the same profile as GET /beak/profile, and nothing that waits for a new account', async () => {
    const { token } = await aDuckling()
    const { body: profile } = await call('GET /beak/profile', { token })
    expect(await overviewOf(token)).toEqual({
      profile,
      approver: null,
      pending_pecks: 0,
      known_pecks: 0,
      passkeys: 0,
      recovery: null,
      email_undo: null,
      recent_changes: [],
      time_zone: null,
      rules: { made: false, living: 0, paused_at: null },
    })
  })

  it('counts the rules that have not ended, and says since when all are paused', async () => {
    const owner = await aDuckling()
    const { authenticator } = await aPasskey(owner)
    const { agentId } = await anAgent(owner)
    const { rule_id } = await aRule(owner, authenticator, shopRule(agentId))
    await aRule(owner, authenticator, { ...shopRule(agentId), actions: ['pay:rent'] })
    const rules = async () => (await overviewOf(owner.token)).rules
    expect(await rules()).toEqual({ made: true, living: 2, paused_at: null })
    await endRule(await owner.context(), rule_id)
    await pauseAllRules(await owner.context())
    expect(await rules()).toEqual({ made: true, living: 1, paused_at: expect.any(String) })
  })

  // security: session-10
  it('shows for an hour what another session changed, and not what this session changed', async () => {
    const owner = await aDuckling()
    const thief = await anotherSession(owner)
    const body = { url: 'https://hooks.example.com/beak' }
    const made = await call('POST /beak/webhook/create', { token: thief, body })
    await call('POST /beak/agent/register', {
      token: thief,
      body: { agent_name: 'Mole', agent_type: 'assistant', capabilities: ['request:peck'] },
    })
    const changes = async () => (await overviewOf(owner.token)).recent_changes
    expect(await changes()).toMatchObject([
      { change: 'agent_registered', name: 'Mole' },
      { change: 'webhook_created', name: 'hooks.example.com' },
    ])
    expect((await overviewOf(thief)).recent_changes).toEqual([])
    const { webhook_id } = made.body
    await call('POST /beak/webhook/delete', { token: owner.token, body: { webhook_id } })
    expect(await changes()).toHaveLength(2)
    expect((await overviewOf(thief)).recent_changes).toMatchObject([
      { change: 'webhook_deleted', name: 'hooks.example.com' },
    ])
    const old = JSON.stringify([
      { change: 'webhook_deleted', name: '', at: '2026-01-01T00:00:00.000Z', session: 'S' },
    ])
    await db().run`UPDATE "RecentChange" SET "items" = ${old}::jsonb WHERE "ducklingId" = ${owner.id}`
    expect(await changes()).toEqual([])
  })

  it('has every change of a session with the id of its webhook, and counts those that it leaves out', async () => {
    const owner = await aDuckling()
    const thief = await anotherSession(owner)
    const made = []
    for (const agent_name of ['Scout', 'Fledgling', 'Herald']) {
      const body = { agent_name, agent_type: 'assistant', capabilities: ['request:peck'] }
      await call('POST /beak/agent/register', { token: thief, body })
      made.push(
        (await call('POST /beak/webhook/create', { token: thief, body: webhookBody })).body.webhook_id,
      )
    }
    const first = (await overviewOf(owner.token)).recent_changes
    const namesOf = (kind: string, key: 'name' | 'id') =>
      first.flatMap((one: Record<string, unknown>) => (one.change === kind ? [one[key]] : []))
    expect(namesOf('agent_registered', 'name').sort()).toEqual(['Fledgling', 'Herald', 'Scout'])
    expect(namesOf('webhook_created', 'id').sort()).toEqual(made.sort())

    const now = readClock()
    const items = Array.from({ length: 45 }, (_, n) => {
      const at = secondsAfter(now, -10 * n - 10).toISOString()
      return { change: 'rules_weakened', name: '', at, session: 'S' }
    })
    await db()
      .run`UPDATE "RecentChange" SET "items" = ${JSON.stringify(items)}::jsonb WHERE "ducklingId" = ${owner.id}`
    await call('POST /beak/webhook/create', { token: thief, body: webhookBody })
    const later = (await overviewOf(owner.token)).recent_changes
    const more = later
      .map((one: { more: number }) => one.more)
      .reduce((sum: number, one: number) => sum + one)
    const weakened = later.filter(({ change }: { change: string }) => change === 'rules_weakened')
    expect(later).toHaveLength(40)
    expect(weakened.length).toBeGreaterThan(1)
    expect(more).toBe(6)
  })

  it('keeps the changes of 7 days for a page that asks for them', async () => {
    const owner = await aDuckling()
    const thief = await anotherSession(owner)
    await call('POST /beak/webhook/create', { token: thief, body: webhookBody })
    const now = readClock()
    const ago = (days: number) => secondsAfter(now, -days * day).toISOString()
    const items = [6, 8].map((days) => ({
      change: 'email_changed',
      name: `${days}`,
      at: ago(days),
      session: 'S',
    }))
    await db()
      .run`UPDATE "RecentChange" SET "items" = ${JSON.stringify(items)}::jsonb WHERE "ducklingId" = ${owner.id}`
    const namesOf = async (query = '') => {
      const { body } = await call(`GET /beak/profile/overview${query}`, { token: owner.token })
      return body.recent_changes.map(({ name }: { name: string }) => name)
    }
    expect(await namesOf()).toEqual([])
    expect(await namesOf(`?changes_since=${ago(7)}`)).toEqual(['6'])
    expect(await namesOf(`?changes_since=${ago(30)}`)).toEqual(['6'])
    await call('POST /beak/webhook/create', { token: thief, body: webhookBody })
    expect(await namesOf(`?changes_since=${ago(30)}`)).toEqual(['6', 'hooks.example.com'])
  })

  it('keeps a change that took away a warning in view, whatever the session changes afterwards', async () => {
    const owner = await aDuckling()
    const { body: made } = await call('POST /beak/webhook/create', { token: owner.token, body: webhookBody })
    const sessions = await Promise.all(Array.from({ length: 5 }, () => anotherSession(owner)))
    const [thief = ''] = sessions
    await call('POST /beak/webhook/delete', { token: thief, body: { webhook_id: made.webhook_id } })
    const items = Array.from({ length: 30 }, (_, n) => {
      const at = secondsAfter(readClock(), -n).toISOString()
      return { change: 'rule_paused', name: '', at, session: 'S' }
    })
    await db()
      .run`UPDATE "RecentChange" SET "items" = "items" || ${JSON.stringify(items)}::jsonb WHERE "ducklingId" = ${owner.id}`
    for (const token of sessions) {
      const { body } = await call('POST /beak/webhook/create', { token, body: webhookBody })
      await call('POST /beak/webhook/rotate-secret', { token, body: { webhook_id: body.webhook_id } })
      const agent = { agent_name: 'Mole', agent_type: 'assistant', capabilities: ['request:peck'] }
      await call('POST /beak/agent/register', { token, body: agent })
      await call('POST /beak/notifications/update', { token, body: { mail_reminders: false } })
      await call('POST /beak/profile/update', { token, body: { min_peck_tier: 'T2' } })
      await call('POST /beak/profile/update', { token, body: { min_peck_tier: 'T1' } })
    }
    const { recent_changes } = await overviewOf(owner.token)
    // One of the 40 is of the owner.
    expect(recent_changes).toHaveLength(39)
    const ofWebhook = { change: 'webhook_deleted', name: new URL(made.url).host }
    expect(recent_changes).toContainEqual(expect.objectContaining(ofWebhook))
  })

  it('shows changes of who can sign in or approve first, whatever came later, and drops others before them', async () => {
    const owner = await aDuckling()
    const thief = await anotherSession(owner)
    const [now, kinds] = [readClock(), Object.keys(changeEvents)]
    // The most dangerous ones are the oldest, so the order of time hides them.
    const oldestLast = kinds.sort((left, right) => placeByDanger(right) - placeByDanger(left))
    const items = oldestLast.map((change, n) => {
      const at = secondsAfter(now, -10 * n - 10).toISOString()
      return { change, name: '', at, session: 'S' }
    })
    await call('POST /beak/webhook/create', { token: thief, body: webhookBody })
    await db()
      .run`UPDATE "RecentChange" SET "items" = ${JSON.stringify(items)}::jsonb WHERE "ducklingId" = ${owner.id}`
    await call('POST /beak/webhook/create', { token: thief, body: webhookBody })
    const changes = (await overviewOf(owner.token)).recent_changes
    const shown = changes.map(({ change }: { change: string }) => change)
    expect(shown).toHaveLength(40)
    expect(new Set(shown.slice(0, takeovers.length))).toEqual(new Set(takeovers))
    expect(shown.map(placeByDanger)).toEqual(shown.map(placeByDanger).sort())
    const times = changes.slice(0, takeovers.length).map(({ at }: { at: string }) => at)
    expect(times).toEqual([...times].sort().reverse())
  })

  it("counts the caller's passkeys and the pecks that the caller can still answer", async () => {
    const [owner, asker] = [await aDuckling(), await aDuckling()]
    await aPasskey(owner)
    await aPasskey(asker)
    const first = await aPeck(asker, owner, { action: 'send:mail' })
    await aPeck(asker, owner, { action: 'book:table' })
    expect(await overviewOf(owner.token)).toMatchObject({ pending_pecks: 2, passkeys: 1 })
    const reject = { peck_id: first.peck_id, reason: 'no' }
    expect(await call('POST /beak/peck/reject', { token: owner.token, body: reject })).toMatchObject({
      status: 200,
    })
    expect(await overviewOf(owner.token)).toMatchObject({ pending_pecks: 1 })
    expect(await overviewOf(asker.token)).toMatchObject({ pending_pecks: 0 })
  })

  it('counts up to 1,000 pecks, from an index alone', async () => {
    const [owner, asker] = [await aDuckling(), await aDuckling()]
    await db().run`
      INSERT INTO "Peck" ("id", "requesterDucklingId", "askerId", "targetDucklingId", "action", "scope", "params", "paramsHash", "status",
        "createdAt", "expiresAt")
      SELECT 'PECK-' || lpad(n::text, 26, '0'), ${asker.id}, ${asker.id}, ${owner.id}, 'a:b', 'limited', '{}', '', 'pending',
        now(), now() + interval '1 day'
      FROM generate_series(1, 1001) AS n`
    expect(await overviewOf(owner.token)).toMatchObject({ pending_pecks: 1000 })
    await db().run`VACUUM ANALYZE "Peck"`
    const plan = await db().rows<{ 'QUERY PLAN': string }>`
      EXPLAIN SELECT 1 FROM "Peck" WHERE "targetDucklingId" = ${owner.id} AND NOT "blocked" AND NOT "stranger" AND "status" = 'pending'
        AND "expiresAt" > now() AND "rejectAt" IS NULL AND ("snoozedUntil" IS NULL OR "snoozedUntil" <= now()) LIMIT 1000`
    expect(plan.map((row) => row['QUERY PLAN']).join('\n')).toContain(
      'Index Only Scan using "Peck_waiting_idx"',
    )
    await db().run`DELETE FROM "Peck" WHERE "targetDucklingId" = ${owner.id}`
  })

  it('shows a pending removal of all passkeys as GET /beak/passkey/list does', async () => {
    const owner = await aDuckling()
    await aPasskey(owner)
    const token = await anotherSession(owner)
    await call('POST /beak/passkey/recover', { token })
    const { body: list } = await call('GET /beak/passkey/list', { token })
    expect(list.recovery).not.toBeNull()
    expect((await overviewOf(token)).recovery).toEqual(list.recovery)
  })
})

describe('an alarm about another session', () => {
  /** Makes the account as old as that, in days. */
  const aged = (owner: ADuckling, days: number) =>
    db().duckling.update({
      where: { id: owner.id },
      data: { createdAt: secondsAfter(readClock(), -days * day) },
    })
  const webhook = { url: 'https://hooks.example.com/beak' }
  const createdBy = (token: string) => call('POST /beak/webhook/create', { token, body: webhook })

  /** A session that began now and that the passkey has confirmed. */
  async function confirmedSession(owner: ADuckling, { authenticator }: APasskey): Promise<string> {
    const token = await anotherSession(owner)
    const options = (await call('POST /beak/passkey/challenge', { token, body: { purpose: 'confirm' } })).body
    await call('POST /beak/passkey/confirm', { token, body: { passkey: authenticator.get(options) } })
    return token
  }

  const madeAt = (passkey: APasskey, secondsAgo: number) =>
    db().passkey.update({
      where: { id: passkey.id },
      data: { createdAt: secondsAfter(readClock(), -secondsAgo) },
    })

  it('is not raised by what a passkey confirmed that the account had before the session and for a day, while it has it', async () => {
    const owner = await aDuckling()
    await aged(owner, 9)
    const passkey = await aPasskey(owner)
    await madeAt(passkey, 2 * day)
    expect((await createdBy(await confirmedSession(owner, passkey))).status).toBe(200)
    expect((await overviewOf(owner.token)).recent_changes).toEqual([])
    expect(await db().notice.count({ where: { ducklingId: owner.id, kind: 'sensitive_change' } })).toBe(1)
    await db().passkey.deleteMany({ where: { id: passkey.id } })
    expect((await overviewOf(owner.token)).recent_changes).toMatchObject([{ change: 'webhook_created' }])
  })

  it.each([
    ['a passkey of less than a day', day - 60],
    ['a passkey that was added after the session began', -60],
  ])('is raised by %s', async (_, secondsAgo) => {
    const owner = await aDuckling()
    await aged(owner, 9)
    const passkey = await aPasskey(owner)
    const token = await confirmedSession(owner, passkey)
    await madeAt(passkey, secondsAgo)
    await createdBy(token)
    expect((await overviewOf(owner.token)).recent_changes).toMatchObject([
      { change: 'webhook_created', first_day: false },
    ])
  })

  it('is calm in the first day of an account, and names the session', async () => {
    const owner = await aDuckling()
    await createdBy(await anotherSession(owner))
    const session = { ended_at: null, session_id: expect.stringMatching(/^SES-/) }
    expect((await overviewOf(owner.token)).recent_changes).toMatchObject([{ first_day: true, session }])
    await aged(owner, 2)
    expect((await overviewOf(owner.token)).recent_changes).toMatchObject([{ first_day: false }])
  })

  it('shows the session also after its end, on every other session, whoever answered elsewhere', async () => {
    const owner = await aDuckling()
    const [thief, accomplice] = [await anotherSession(owner), await anotherSession(owner)]
    await createdBy(thief)
    await call('POST /beak/signout', { token: thief, body: {} })
    for (const token of [owner.token, accomplice])
      expect((await overviewOf(token)).recent_changes).toMatchObject([
        { change: 'webhook_created', session: { ended_at: expect.any(String) } },
      ])
  })
})
