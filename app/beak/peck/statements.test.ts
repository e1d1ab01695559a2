/** How many statements the requests of a peck send, with authentication, BEGIN and COMMIT. */
import { expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db, Prisma } from '@/lib/db/client'
import { anAgent } from '@/lib/factories/agents'
import { aDuckling } from '@/lib/factories/ducklings'
import { anApprovedPeck } from '@/lib/factories/pecks'
import { statementsOf } from '@/lib/fixtures/statements'

it('asks for the first time with 9 statements, approves with 8, reads with 2 and uses the permission with 6', async () => {
  const [owner, target] = [await aDuckling(), await aDuckling()]
  const { beakKey: key } = await anAgent(owner)
  const counts: number[] = []
  const counted = async (...request: Parameters<typeof call>) => {
    const answers: Awaited<ReturnType<typeof call>>[] = []
    const statements = await statementsOf(async () => void answers.push(await call(...request)))
    // The wake-up of other instances is sent later, and for many transactions together.
    counts.push(statements.filter((text) => !text.includes('pg_notify')).length)
    expect(answers[0]?.status).toBe(200)
    return answers[0]?.body
  }
  const body = { target_duckling_id: target.id, action: 'send:mail', scope: 'limited' }
  const { peck_id } = await counted('POST /beak/peck/request', { key, body })
  await counted('POST /beak/peck/approve', { token: target.token, body: { peck_id } })
  const { grant_token } = await counted(`GET /beak/peck/status?peck_id=${peck_id}`, { key })
  await counted('POST /beak/peck/consume', { body: { grant_token } })
  expect(counts).toEqual([9, 8, 2, 6])
})

/** What the page Allowed reads beside the details of the permissions that it shows. */
const allowedReads = [
  'agent/list?limit=50',
  'agent/activity',
  'profile/overview',
  'rule/list?limit=50',
  'rule/budgets',
  'peck/askers',
  'peck/history?grant_status=active&direction=received&limit=30',
] as const

it('reads what is allowed with as many statements for 50 agents and 500 permissions as for one of each', async () => {
  const owner = await aDuckling()
  const { agentId, context } = await anAgent(owner)
  await anApprovedPeck({ context }, owner)
  const { token } = owner
  const read = async () => {
    const counts: number[] = []
    for (const path of allowedReads)
      counts.push((await statementsOf(() => call(`GET /beak/${path}`, { token }))).length)
    const { items } = (await call(`GET /beak/${allowedReads.at(-1)}`, { token })).body
    const ids = items.map(({ peck_id }: { peck_id: string }) => peck_id).join(',')
    const details = await statementsOf(() => call(`GET /beak/peck/details?peck_ids=${ids}`, { token }))
    return { counts: [...counts, details.length], shown: items.length }
  }
  const few = await read()
  const copyOf = (column: string) => Prisma.raw(`overlay(${column} placing lpad(n::text, 4, '0') from 17)`)
  await db().run`
    INSERT INTO "Agent" SELECT r.* FROM generate_series(1, 49) n, "Agent" a,
      jsonb_populate_record(a, jsonb_build_object('id', ${copyOf('a."id"')}, 'name', a."name" || n)) r
    WHERE a."id" = ${agentId}`
  await db().run`
    INSERT INTO "Peck" SELECT r.* FROM generate_series(1, 499) n, "Peck" p,
      jsonb_populate_record(p, jsonb_build_object('id', ${copyOf('p."id"')})) r
    WHERE p."requesterAgentId" = ${agentId}`
  expect((await call('GET /beak/agent/activity', { token })).body.items).toHaveLength(50)
  expect(await read()).toEqual({ counts: few.counts, shown: 30 })
})
