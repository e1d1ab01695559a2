/**
 * `npm run bench -- rules`: requests that a rule answers beside requests that wait, at the same time on the same connections. The database has
 * more than 100,000 rules, and the target of each answered request has more than 100.
 */
import { canonicalText } from '@beak/proofs/canonical'
import pg from 'pg'
import { newId } from '@/lib/kernel/secrets/ids'
import { loadPeople } from './data/people'
import { Client } from './drive/connection'
import { Driver } from './drive/driver'
import { type Asked, ask, quantiles } from './reach/ask'
import { acquaintAll } from './reach/fill'
import { format, table } from './report'
import { prepareWorld } from './scenarios/world'
import { startBeak } from './servers/beak'
import { freePort } from './servers/free-port'
import { openPostgres } from './servers/postgres'
import { settings } from './settings'
import { signUpPeople } from './subjects'

const agentCount = 50
const poolSize = 1_000
const connections = 16
const action = 'read:calendar'

const progress = (text: string) => process.stderr.write(`${text}\n`)
const print = (text: string) => process.stdout.write(`\n${text}\n`)

/** Inserts a rule of each person for each agent, which answers, and as many for another action. Nobody has signed them. */
async function insertRules(database: pg.Client, people: string[], agents: string[]): Promise<number> {
  const now = new Date()
  let count = 0
  for (const owner of people) {
    const rows = agents.flatMap((agent) =>
      [action, 'read:invoice'].map((name) => ({
        id: newId('rule', now),
        agent,
        name,
        rule: canonicalText({
          agent_id: agent,
          actions: [name],
          params: { n: { at_least: 0 } },
          budget: { uses_each: 100_000, per: 'day' },
          reasons: [],
          expires_in: 86_400,
          answer: 'approve',
          mode: 'on',
        }),
      })),
    )
    await database.query(
      `INSERT INTO "Rule" ("id", "ducklingId", "subjectId", "actions", "rule", "answer", "watches", "status", "timeZone", "statementId",
          "createdAt", "expiresAt", "maxPeriodUses", "per")
        SELECT id, $1, agent, ARRAY[name], rule, 'approve', false, 'on', 'Europe/Berlin', '', now(), now() + interval '1 day', 100000, 'day'
        FROM unnest($2::text[], $3::text[], $4::text[], $5::text[]) AS r (id, agent, name, rule)`,
      [
        owner,
        rows.map(({ id }) => id),
        rows.map(({ agent }) => agent),
        rows.map(({ name }) => name),
        rows.map(({ rule }) => rule),
      ],
    )
    count += rows.length
  }
  await database.query('VACUUM (ANALYZE) "Rule"')
  return count
}

/** Prints the figures. */
export async function rules(): Promise<void> {
  const postgres = await openPostgres()
  if (postgres === null)
    throw new Error('There is no PostgreSQL server. Install one, or set BENCH_DATABASE_URL.')
  const databaseUrl = await postgres.createDatabase('rules')
  const server = await startBeak({ name: 'beak-rules', port: await freePort(), databaseUrl })
  const members = await signUpPeople(new Driver(), server, agentCount)
  const { people: agents } = await prepareWorld(new Client(server.origin), members, [])
  const database = new pg.Client({ connectionString: databaseUrl })
  await database.connect()
  await loadPeople(database, poolSize * 3)
  const { rows } = await database.query<{ id: string }>(
    `UPDATE "Duckling" SET "trustTier" = 'T2', "minPeckTier" = 'T1' WHERE "id" IN (
      SELECT "id" FROM "Duckling" WHERE "emailVerifiedAt" IS NOT NULL AND "email" LIKE 'load%' LIMIT ${poolSize * 2}) RETURNING "id"`,
  )
  const ids = rows.map(({ id }) => id)
  const pools = { waiting: ids.slice(0, poolSize), answered: ids.slice(poolSize) }
  const agentIds = agents.map(({ agentId }) => agentId)
  await acquaintAll(database, ids, agentIds)
  progress('adding rules …')
  const count = await insertRules(database, pools.answered, agentIds)
  const load = { origin: server.origin, agents, connections, pools, action }
  await ask({ ...load, seconds: 2 })
  const { seconds } = settings.reach
  const asked = await ask({ ...load, seconds })
  const lineOf = (pool: keyof typeof pools, title: string) => {
    const found: Asked[] = asked.filter((one) => one.pool === pool)
    const { p50, p99 } = quantiles(found.map(({ latency }) => latency))
    return { p50, line: [title, format(found.length / seconds), format(p50), format(p99)] }
  }
  const [waiting, answered] = [
    lineOf('waiting', 'waits for the person'),
    lineOf('answered', 'answered by a rule'),
  ]
  print(
    `## Requests and rules, with ${count.toLocaleString('en-US')} rules, ${agentCount * 2} of each person\n\n${table(
      ['request', 'per second', 'p50 ms', 'p99 ms'],
      [waiting.line, answered.line],
    )}\n\np50 of an answered request against a waiting one: ${format(answered.p50 / waiting.p50)}`,
  )
  const { rows: stored } = await database.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM "RuleUse"',
  )
  print(`Answers of rules: ${stored[0]?.count}.`)
  await database.end()
  await server.stop()
}
