/** The plans of the statements that serve requests. A prepared statement keeps its plan as long as its connection. */
import { expect, it, onTestFinished } from 'vitest'
import { database, db, Prisma } from '@/lib/db/client'
import { anAgent } from '@/lib/factories/agents'
import { aDuckling, aHandle, randomEmail } from '@/lib/factories/ducklings'
import { codeFor } from '@/lib/factories/outbox'
import { canExplain, statementsOf } from '@/lib/fixtures/statements'
import { call } from './call'

interface Plan {
  'Node Type': string
  'Relation Name'?: string
  'Index Cond'?: string
  Plans?: Plan[]
}

/** Returns the tables of a plan that are read without a key. */
function tablesReadWhole(plan: Plan): string[] {
  const below = (plan.Plans ?? []).flatMap(tablesReadWhole)
  const isScan = /Seq Scan|Index (Only )?Scan/.test(plan['Node Type'])
  return isScan && plan['Index Cond'] === undefined ? [...below, plan['Relation Name'] ?? ''] : below
}

const ownReads = [
  'profile',
  'profile/overview',
  'spaceducks',
  'spaceducks?q=Mallard',
  'peck/inbox',
  'peck/inbox?limit=1&sort=expiry&age=day',
  'peck/inbox?q=mail',
  'peck/history',
  'peck/history?direction=received&asker=AGT-0123456789ABCDEFGH',
  'peck/history?action=send:mail',
  'peck/history?grant_status=active&asker=AGT-0123456789ABCDEFGH',
  'peck/askers',
  'peck/blocks',
  'audit',
  'session/list',
  'agent/list',
  'agent/activity',
  'passkey/list',
  'webhook/list',
  'notifications',
] as const

/**
 * Makes the planner believe that each table has 64 rows, and that nothing is known about values and indexes: other tests have analyzed
 * tables with unusual rows. Plans of smaller tables do not matter: PostgreSQL analyzes a table that gets 50 rows, and plans its statements
 * again.
 */
async function pretendRows(): Promise<void> {
  const isOurs = Prisma.raw("relnamespace = 'public'::regnamespace")
  await db().run`UPDATE pg_class SET relpages = 1, reltuples = 64 WHERE ${isOurs} AND relkind = 'r'`
  await db().run`UPDATE pg_class SET relpages = 0, reltuples = -1 WHERE ${isOurs} AND relkind = 'i'`
  await db().run`DELETE FROM pg_statistic WHERE starelid IN (SELECT "oid" FROM pg_class WHERE ${isOurs})`
}

/** The tables that grow with people and their agents, and that the flows of this test fill. */
const growing = new Set([
  'Agent',
  'AuditChain',
  'AuditEvent',
  'BeakKey',
  'Certificate',
  'Duckling',
  'GrantToken',
  'Handle',
  'IdempotencyKey',
  'OtpCode',
  'OtpGuard',
  'NotificationSettings',
  'Outbox',
  'Peck',
  'PeckMail',
  'PeckNotice',
  'Session',
])

it('reads no table as a whole, even when it is planned while the tables are small', async ({ skip }) => {
  if (!(await canExplain())) skip('PostgreSQL is older than version 16')
  const [owner, target] = [await aDuckling(), await aDuckling()]
  const agent = await anAgent(owner)
  const handle = aHandle()
  await call('POST /beak/handle/claim', { token: target.token, body: { handle } })
  const { cert_id } = (await call('POST /beak/cert/issue', { token: owner.token, body: {} })).body
  await pretendRows()
  onTestFinished(async () => void (await db().run`ANALYZE`))
  const body = { target_duckling_id: target.id, action: 'send:mail', scope: 'limited' } as const
  const statements = await statementsOf(async () => {
    const email = randomEmail()
    const { token } = (await call('POST /beak/signup', { body: { email, display_name: 'Mallard' } })).body
    await call('POST /beak/verify-email', { token, body: { otp: await codeFor(email) } })
    await call('POST /beak/signin/otp', { body: { email } })
    const signedIn = await call('POST /beak/signin', { body: { email, otp: await codeFor(email) } })
    expect(signedIn.status).toBe(200)
    const reads = [
      ...ownReads.map((path) => call(`GET /beak/${path}`, { token: owner.token })),
      call('GET /beak/profile', { key: agent.beakKey }),
      call(`GET /beak/cert/verify?cert_id=${cert_id}`),
      call(`GET /beak/agent/verify?agent_id=${agent.agentId}`),
      call(`GET /beak/handle/view?handle=${handle}`),
      call(`GET /beak/handle/view?handle=${handle}`, { token: owner.token }),
    ]
    expect((await Promise.all(reads)).map(({ status }) => status)).toEqual(reads.map(() => 200))
    const sso = { target_domain: 'shop.example', scope: 'read:profile' }
    const { sso_token } = (await call('POST /beak/sso/issue', { token: owner.token, body: sso })).body
    const verdict = await call('POST /beak/sso/verify', { body: { token: sso_token } })
    expect(verdict.body.active).toBe(true)
    const { peck_id } = (await call('POST /beak/peck/request', { key: agent.beakKey, body })).body
    await call('POST /beak/peck/approve', { token: target.token, body: { peck_id } })
    const { grant_token } = (await call(`GET /beak/peck/status?peck_id=${peck_id}`, { key: agent.beakKey }))
      .body
    const headers = { 'Idempotency-Key': peck_id }
    expect((await call('POST /beak/peck/consume', { body: { grant_token }, headers })).status).toBe(200)
  })
  // Statements of Prisma are planned each time.
  const isOfPrisma = (text: string) => text.includes('"public".')
  // The first proof of an address asks whether many tables have a first row of the account. It runs once for each account.
  const isFirstProof = (text: string) => text.includes('"hasOthersData"')
  const planned = [...new Set(statements)].filter(
    (text) => /^\s*(SELECT|WITH|INSERT|UPDATE|DELETE)/.test(text) && !isFirstProof(text) && !isOfPrisma(text),
  )
  expect(planned.length).toBeGreaterThan(20)
  const wholeReads: [string, string[]][] = []
  for (const text of planned) {
    const { rows } = await database().pool.query(`EXPLAIN (GENERIC_PLAN, FORMAT JSON) ${text}`)
    const { Plan: plan }: { Plan: Plan } = rows[0]['QUERY PLAN'][0]
    const tables = tablesReadWhole(plan).filter((table) => growing.has(table))
    if (tables.length > 0) wholeReads.push([text, tables])
  }
  expect(wholeReads).toEqual([])
})
