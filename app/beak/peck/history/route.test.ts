import { beforeEach, describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { database, db } from '@/lib/db/client'
import { isActiveGrant } from '@/lib/domain/pecks/grant/active'
import { anAgent } from '@/lib/factories/agents'
import { type ADuckling, aDuckling } from '@/lib/factories/ducklings'
import { anApprovedPeck, aPeck } from '@/lib/factories/pecks'
import { canExplain, statementsOf } from '@/lib/fixtures/statements'

let one: ADuckling
let other: ADuckling
beforeEach(async () => {
  one = await aDuckling()
  other = await aDuckling()
})

const history = (who: { token: string } | { key: string }, query = '') =>
  call(`GET /beak/peck/history${query}`, who)
const idsOf = ({ body }: Awaited<ReturnType<typeof history>>) =>
  body.items.map(({ peck_id }: { peck_id: string }) => peck_id)

describe('200', () => {
  it('lists sent and received pecks together, newest first, with tokens for the asker only', async () => {
    const sent = await anApprovedPeck(one, other)
    const received = await aPeck(other, one)
    const later = await aPeck(one, other, { action: 'read:cert' })
    const answer = await history(one)
    expect(answer.status).toBe(200)
    expect(idsOf(answer)).toEqual([later.peck_id, received.peck_id, sent.peck_id])
    expect(answer.body.next_cursor).toBeNull()
    expect(answer.body.items[2].grant_token).toBeTruthy()
    expect((await history(other)).body.items[2].grant_token).toBeUndefined()
    expect(idsOf(await history(one, '?direction=sent'))).toEqual([later.peck_id, sent.peck_id])
    expect(idsOf(await history(one, '?direction=received'))).toEqual([received.peck_id])
  })

  it('shows a person the pecks of their agents, and an agent only its own', async () => {
    const [agent, sister] = [await anAgent(one), await anAgent(one)]
    const mine = await aPeck(agent, other)
    const hers = await aPeck(sister, other)
    const own = await aPeck(one, other)
    const incoming = await aPeck(other, one)
    expect(idsOf(await history(one))).toEqual([incoming.peck_id, own.peck_id, hers.peck_id, mine.peck_id])
    expect(idsOf(await history({ key: agent.beakKey }))).toEqual([mine.peck_id])
    expect(idsOf(await history({ key: agent.beakKey }, '?direction=received'))).toEqual([])
  })

  it('lists a peck of an agent to its own operator once', async () => {
    const agent = await anAgent(one)
    const { peck_id } = await aPeck(agent, one)
    expect(idsOf(await history(one))).toEqual([peck_id])
  })

  it('filters by the current status, even when an expiry is not stored yet', async () => {
    const pending = await aPeck(one, other, { action: 'a:pending' })
    const lapsed = await aPeck(one, other, { action: 'a:lapsed' })
    const expired = await aPeck(one, other, { action: 'a:expired' })
    const approved = await anApprovedPeck(one, other, { action: 'a:approved' })
    await db().peck.update({ where: { id: lapsed.peck_id }, data: { expiresAt: new Date() } })
    await db().peck.update({ where: { id: expired.peck_id }, data: { status: 'expired' } })
    expect(idsOf(await history(other, '?status=pending'))).toEqual([pending.peck_id])
    expect(idsOf(await history(other, '?status=expired'))).toEqual([expired.peck_id, lapsed.peck_id])
    expect(idsOf(await history(other, '?status=approved&direction=received'))).toEqual([approved.peck_id])
    expect(idsOf(await history(other, '?status=rejected'))).toEqual([])
    const all = (await history(one)).body.items.map(({ status }: { status: string }) => status)
    expect(all).toEqual(['approved', 'expired', 'expired', 'pending'])
  })

  it('lists what is over without what waits, even when an end is not stored yet', async () => {
    await aPeck(one, other, { action: 'a:pending' })
    const lapsed = await aPeck(one, other, { action: 'a:lapsed' })
    const rejected = await aPeck(one, other, { action: 'a:rejected' })
    const approved = await anApprovedPeck(one, other, { action: 'a:approved' })
    const due = { rejectAt: new Date() }
    await db().peck.update({ where: { id: lapsed.peck_id }, data: { expiresAt: new Date() } })
    await db().peck.update({ where: { id: rejected.peck_id }, data: due })
    for (const who of [one, other])
      expect(idsOf(await history(who, '?status=over'))).toEqual([
        approved.peck_id,
        rejected.peck_id,
        lapsed.peck_id,
      ])
  })

  it('lists what somebody else answers, without what the own agents ask of the caller', async () => {
    const agent = await anAgent(one)
    const toOther = await aPeck(agent, other)
    const own = await aPeck(agent, one)
    await aPeck(other, one)
    expect(idsOf(await history(one, '?direction=sent_to_others'))).toEqual([toOther.peck_id])
    expect(idsOf(await history({ key: agent.beakKey }, '?direction=sent_to_others'))).toEqual([
      toOther.peck_id,
    ])
    expect(idsOf(await history(one, '?direction=sent'))).toEqual([own.peck_id, toOther.peck_id])
  })

  it('selects pecks by their ids, and leaves out pecks of other people', async () => {
    const [first, second, third] = [
      await aPeck(one, other, { action: 'a:first' }),
      await aPeck(one, other, { action: 'a:second' }),
      await aPeck(one, other, { action: 'a:third' }),
    ]
    const foreign = await aPeck(await aDuckling(), await aDuckling())
    const ids = [first, third, foreign].map(({ peck_id }) => peck_id).join(',')
    expect(idsOf(await history(other, `?peck_ids=${ids}`))).toEqual([third.peck_id, first.peck_id])
    expect(idsOf(await history(other, `?peck_ids=${second.peck_id}&status=approved`))).toEqual([])
    expect((await history(other, '?peck_ids=PECK-1')).status).toBe(400)
  })

  it('filters by the current status of the permission', async () => {
    const [active, spent, over, revoked, standing] = [
      await anApprovedPeck(one, other, { action: 'a:active' }),
      await anApprovedPeck(one, other, { action: 'a:spent' }),
      await anApprovedPeck(one, other, { action: 'a:over' }),
      await anApprovedPeck(one, other, { action: 'a:revoked' }),
      await anApprovedPeck(one, other, { action: 'a:standing' }),
    ]
    await aPeck(one, other, { action: 'a:pending' })
    const set = (peck: { peck_id: string }, data: object) =>
      db().peck.update({ where: { id: peck.peck_id }, data })
    await set(spent, { uses: 1 })
    await set(over, { grantExpiresAt: new Date() })
    await set(revoked, { grantRevokedAt: new Date(), uses: 1 })
    await set(standing, { grantExpiresAt: null, maxUses: null })
    const found = async (status: string) =>
      idsOf(await history(other, `?grant_status=${status}&direction=received`))
    expect(await found('active')).toEqual([standing.peck_id, active.peck_id])
    expect(await found('consumed')).toEqual([spent.peck_id])
    expect(await found('expired')).toEqual([over.peck_id])
    expect(await found('revoked')).toEqual([revoked.peck_id])
    for (const status of ['active', 'consumed', 'expired', 'revoked'])
      for (const { grant_status } of (await history(other, `?grant_status=${status}`)).body.items)
        expect(grant_status).toBe(status)
    expect(idsOf(await history(one, '?grant_status=active&status=pending'))).toEqual([])
  })

  it('filters by asker and by action, in both directions and together with other filters', async () => {
    const [agent, sister] = [await anAgent(one), await anAgent(one)]
    const mail = await aPeck(agent, other, { action: 'send:mail' })
    const read = await anApprovedPeck(agent, other, { action: 'read:mail' })
    const hers = await aPeck(sister, other, { action: 'send:mail' })
    const own = await aPeck(one, other, { action: 'send:mail' })
    const received = await aPeck(other, one, { action: 'send:mail' })
    const of = `asker=${agent.agentId}`
    for (const who of [one, other])
      expect(idsOf(await history(who, `?${of}`))).toEqual([read.peck_id, mail.peck_id])
    expect(idsOf(await history(other, `?${of}&action=send:mail&direction=received`))).toEqual([mail.peck_id])
    expect(idsOf(await history(other, `?${of}&grant_status=active`))).toEqual([read.peck_id])
    expect(idsOf(await history(other, `?${of}&status=pending`))).toEqual([mail.peck_id])
    expect(idsOf(await history(other, `?asker=${one.id}`))).toEqual([own.peck_id])
    expect(idsOf(await history(one, '?action=send:mail'))).toEqual([
      received.peck_id,
      own.peck_id,
      hers.peck_id,
      mail.peck_id,
    ])
    expect(idsOf(await history(one, `?${of}&direction=received`))).toEqual([])
    expect(idsOf(await history({ key: agent.beakKey }, '?action=read:mail'))).toEqual([read.peck_id])
    expect(idsOf(await history({ key: agent.beakKey }, `?asker=${sister.agentId}`))).toEqual([])
    expect(idsOf(await history(await aDuckling(), `?${of}`))).toEqual([])
  })

  it('pages through the pecks of one asker', async () => {
    const agent = await anAgent(one)
    const ids: string[] = []
    for (let index = 0; index < 3; index++) {
      ids.unshift((await aPeck(agent, other, { action: `read:n${index}` })).peck_id)
      await aPeck(one, other, { action: `read:n${index}` })
    }
    const first = await history(other, `?asker=${agent.agentId}&limit=2`)
    const second = await history(other, `?asker=${agent.agentId}&limit=2&cursor=${first.body.next_cursor}`)
    expect([...idsOf(first), ...idsOf(second)]).toEqual(ids)
    expect(second.body.next_cursor).toBeNull()
  })

  it('finds the pecks of an asker and of an action by their own indexes in a large account', async ({
    skip,
  }) => {
    if (!(await canExplain())) skip('PostgreSQL is older than version 16')
    const rare = await aPeck(one, other, { action: 'read:rare' })
    await db().run`
      INSERT INTO "Peck" ("id", "requesterDucklingId", "askerId", "targetDucklingId", "action", "scope", "params", "paramsHash", "status",
        "createdAt", "expiresAt")
      SELECT 'PECK-' || upper(to_hex(n + 268435456)) || lpad(n::text, 16, '0'), d."id", 'AGT-' || (n % 50), d."other", 'a:' || (n % 50), 'limited', '{}', '',
        'rejected', now() - interval '9 days', now() - interval '8 days'
      FROM generate_series(1, 4000) AS n, (VALUES (${one.id}, ${other.id}), (${other.id}, ${one.id})) AS d("id", "other")
      ON CONFLICT DO NOTHING`
    await db().run`ANALYZE "Peck"`
    const planOf = async (query: string) => {
      const seen = await statementsOf(() => history(other, query))
      const text = seen.find((statement) => statement.includes('SELECT "id" FROM "Peck"')) ?? ''
      const { rows } = await database().pool.query(`EXPLAIN (GENERIC_PLAN) ${text}`)
      return rows.map((row) => row['QUERY PLAN']).join('\n')
    }
    expect(await planOf(`?asker=${one.id}&direction=received`)).toContain('Peck_received_of_asker_idx')
    expect(await planOf('?action=read:rare&direction=received')).toContain('Peck_received_action_idx')
    for (const direction of ['sent', 'sent_to_others'])
      expect(await planOf(`?action=read:rare&direction=${direction}`)).toContain('Peck_sent_action_idx')
    expect(idsOf(await history(other, '?action=read:rare'))).toEqual([rare.peck_id])
    await db()
      .run`DELETE FROM "Peck" WHERE "id" <> ${rare.peck_id} AND "targetDucklingId" IN (${one.id}, ${other.id})`
  })

  it('finds what was asked of others by its own index among thousands of requests of own agents', async ({
    skip,
  }) => {
    if (!(await canExplain())) skip('PostgreSQL is older than version 16')
    const { peck_id } = await aPeck(one, other)
    await db().run`
      INSERT INTO "Peck" ("id", "requesterDucklingId", "askerId", "targetDucklingId", "action", "scope", "params", "paramsHash", "status",
        "createdAt", "expiresAt")
      SELECT 'PECK-Z' || lpad(n::text, 19, '0'), ${one.id}, 'AGT-' || (n % 50), ${one.id}, 'a:b', 'limited', '{}', '', 'rejected',
        now() - interval '9 days', now() - interval '8 days'
      FROM generate_series(1, 4000) AS n`
    await db().run`ANALYZE "Peck"`
    const seen = await statementsOf(() => history(one, '?direction=sent_to_others'))
    const text = seen.find((statement) => statement.includes('SELECT "id" FROM "Peck"')) ?? ''
    const { rows } = await database().pool.query(`EXPLAIN (GENERIC_PLAN) ${text}`)
    expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('Peck_sent_to_others_idx')
    expect(idsOf(await history(one, '?direction=sent_to_others'))).toEqual([peck_id])
    await db().run`DELETE FROM "Peck" WHERE "requesterDucklingId" = ${one.id} AND "id" <> ${peck_id}`
  })

  it('finds active permissions by their own index when thousands have expired', async () => {
    await db().run`
      INSERT INTO "Peck" ("id", "requesterDucklingId", "askerId", "targetDucklingId", "action", "scope", "params", "paramsHash", "status",
        "createdAt", "expiresAt", "decidedAt", "grantExpiresAt")
      SELECT 'PECK-' || lpad(n::text, 20, '0'), ${one.id}, ${one.id}, ${other.id}, 'a:b', 'timed', '{}', '', 'approved',
        now() - interval '9 days', now() - interval '8 days', now() - interval '9 days', now() - interval '8 days'
      FROM generate_series(1, 4000) AS n`
    await db().run`ANALYZE "Peck"`
    const plan = await db().rows<{ 'QUERY PLAN': string }>`
      EXPLAIN SELECT "id" FROM "Peck" WHERE "targetDucklingId" = ${other.id} AND NOT "blocked" AND ${isActiveGrant(new Date())}`
    expect(plan.map((row) => row['QUERY PLAN']).join('\n')).toContain('Peck_living_grants_idx')
    await db().run`DELETE FROM "Peck" WHERE "targetDucklingId" = ${other.id}`
  })

  it('pages through both directions without gaps or duplicates', async () => {
    const ids: string[] = []
    for (let index = 0; index < 7; index++) {
      const [from, to] = index % 2 === 0 ? [one, other] : [other, one]
      ids.unshift((await aPeck(from, to, { action: `read:n${index}` })).peck_id)
    }
    const seen: string[] = []
    let cursor = ''
    do {
      const page = await history(one, `?limit=3${cursor}`)
      expect(page.body.items.length).toBeLessThanOrEqual(3)
      seen.push(...idsOf(page))
      cursor = page.body.next_cursor === null ? '' : `&cursor=${page.body.next_cursor}`
    } while (cursor !== '')
    expect(seen).toEqual(ids)
  })

  // security: asker-36
  it('returns an empty list to a third party', async () => {
    await aPeck(one, other)
    expect((await history(await aDuckling())).body).toEqual({ items: [], next_cursor: null })
  })
})

describe('400', () => {
  it.each([
    '?limit=0',
    '?limit=1.5',
    '?limit=1&limit=2',
    '?cursor=x',
    '?status=open',
    '?grant_status=alive',
    '?direction=both',
    '?from=x',
    '?asker=me',
    '?action=Read',
  ])('rejects %s', async (query) => {
    expect(await history(one, query)).toMatchObject({ status: 400, body: { code: 'E4000' } })
  })

  it('reduces a limit above 100 to 100', async () => {
    expect((await history(one, '?limit=1000')).status).toBe(200)
  })
})
