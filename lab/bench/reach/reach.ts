/**
 * `npm run bench -- reach`: announcements on channels with many subscriptions. Measures what they cost the request, how fast the queue drains,
 * and what a push service that never answers costs the others.
 */
import { createHash } from 'node:crypto'
import { dirname } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { loadPeople } from '../data/people'
import { Client } from '../drive/connection'
import { Driver } from '../drive/driver'
import { format, table } from '../report'
import { type AgentOwner, prepareWorld } from '../scenarios/world'
import { type BeakOptions, startBeak } from '../servers/beak'
import { freePort } from '../servers/free-port'
import { openPostgres } from '../servers/postgres'
import type { Server } from '../servers/server'
import { settings } from '../settings'
import { signUpPeople } from '../subjects'
import { type Asked, ask, quantiles } from './ask'
import { fillChannels, type Pools } from './fill'
import { slowHost } from './push-services'
import { type PushServices, startPushServices } from './start-push-services'

const agentCount = 63
const connections = 16
/** Requests a second of the run that measures how long a phone waits. The machine has time left at this rate. */
const calmPerSecond = 20

const progress = (text: string) => process.stderr.write(`${text}\n`)
const print = (text: string) => process.stdout.write(`\n${text}\n`)

interface Setting {
  agents: AgentOwner[]
  pools: Pools
  services: PushServices
  database: pg.Client
  /** Starts the service with some roles. */
  start(roles: string): Promise<Server>
}

async function prepare(): Promise<Setting> {
  const postgres = await openPostgres()
  if (postgres === null)
    throw new Error('There is no PostgreSQL server. Install one, or set BENCH_DATABASE_URL.')
  const databaseUrl = await postgres.createDatabase('reach')
  const env = { WEBHOOK_ALLOW_PRIVATE: 'true', LIMIT_RINGS: '100000000/100000000' }
  const first = await startBeak({ name: 'beak-reach', port: await freePort(), databaseUrl, env })
  const driver = new Driver()
  const members = await signUpPeople(driver, first, agentCount)
  const { people: agents } = await prepareWorld(new Client(first.origin), members, [])
  await first.stop()
  const database = new pg.Client({ connectionString: databaseUrl })
  await database.connect()
  const { subscriptions } = settings.reach
  // One of ten loaded people has no verified address.
  await loadPeople(database, Math.ceil(subscriptions * 1.15))
  progress('adding subscriptions …')
  const services = await startPushServices()
  const dataDir = dirname(first.codes)
  const pools = await fillChannels(database, {
    subscriptions,
    port: services.port,
    agents: agents.map(({ agentId }) => agentId),
    dataDir,
  })
  await database.query(`DELETE FROM "Outbox"`)
  const start = async (roles: string) => {
    const options: BeakOptions = { name: `beak-${roles}`, port: await freePort(), databaseUrl, dataDir }
    return startBeak({ ...options, env: { ...env, BEAK_ROLES: roles } })
  }
  return { agents, pools, services, database, start }
}

const latencyLine = (title: string, asked: Asked[], seconds: number) => {
  const { p50, p99 } = quantiles(asked.map(({ latency }) => latency))
  return [title, format(asked.length / seconds), format(p50), format(p99)]
}

/** The request with channels and without, on the same connections at the same time. */
async function compareRequests({ agents, pools, start }: Setting): Promise<void> {
  const { seconds } = settings.reach
  const both = { with: pools.fast, without: pools.without }
  const lines: string[][] = []
  for (const [roles, title] of [
    ['api', 'the worker in no process'],
    ['api,worker', 'the worker in the same process'],
  ] as const) {
    const server = await start(roles)
    const load = { origin: server.origin, agents, connections }
    await ask({ ...load, pools: both, seconds: 2 })
    const asked = await ask({ ...load, pools: both, seconds })
    for (const pool of ['with', 'without'])
      lines.push(
        latencyLine(
          `${pool} channels, ${title}`,
          asked.filter((one) => one.pool === pool),
          seconds,
        ),
      )
    await server.stop()
    progress(`${title}: done`)
  }
  print(
    `### The request, both kinds at the same time\n\n${table(['request', 'per second', 'p50 ms', 'p99 ms'], lines)}`,
  )
}

const isDue = `"kind" IN ('reach', 'channel_message') AND "failedAt" IS NULL AND "dueAt" <= now()`

async function countDue(database: pg.Client, host?: string): Promise<number> {
  const condition = host === undefined ? isDue : `${isDue} AND "host" IS DISTINCT FROM '${host}'`
  const { rows } = await database.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM "Outbox" WHERE ${condition}`,
  )
  return rows[0]?.count ?? 0
}

interface Drain {
  /** From the first message to the last. */
  seconds: number
  arrived: number
  unanswered: number
  left: number
}

/** Makes a backlog without a worker, and lets a worker drain it. Waits until no message of another host than `slow` is due. */
async function drain(setting: Setting, pools: Record<string, string[]>, slow?: string): Promise<Drain> {
  const { agents, database, services, start } = setting
  await database.query(`DELETE FROM "Outbox"`)
  const api = await start('api')
  await ask({ origin: api.origin, agents, connections, pools, seconds: settings.reach.seconds })
  await api.stop()
  await services.take()
  const worker = await start('worker')
  while ((await countDue(database, slow)) > 0) await wait(100)
  await wait(500)
  const { arrivals, unanswered } = await services.take()
  const times = Object.values(arrivals)
  const left = await countDue(database)
  await worker.stop()
  return {
    seconds: (Math.max(...times) - Math.min(...times)) / 1000,
    arrived: times.length,
    unanswered,
    left,
  }
}

async function measureDrain(setting: Setting): Promise<void> {
  const { fast, slow, gone } = setting.pools
  const before = await countChannels(setting.database)
  const alone = await drain(setting, { fast })
  // Nine of ten requests go to people with a push service that answers.
  const nine = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`fast ${index}`, fast]))
  const beside = await drain(setting, { ...nine, slow }, slowHost)
  const dead = await drain(setting, { fast, gone })
  const lineOf = (title: string, { arrived, seconds, unanswered, left }: Drain) => [
    title,
    format(arrived),
    format(seconds),
    format(arrived / seconds),
    format(unanswered),
    format(left),
  ]
  const head = ['backlog', 'arrived', 'seconds', 'per second', 'unanswered', 'left']
  print(
    `### The drain of a backlog, by one worker\n\n${table(head, [
      lineOf('all push services answer', alone),
      lineOf('one of ten messages to a service that never answers', beside),
      lineOf('half of the subscriptions are gone (410)', dead),
    ])}`,
  )
  print(`Subscriptions that the last backlog removed: ${before - (await countChannels(setting.database))}.`)
}

async function countChannels(database: pg.Client): Promise<number> {
  const { rows } = await database.query<{ count: number }>('SELECT count(*)::int AS count FROM "Channel"')
  return rows[0]?.count ?? 0
}

const topicOf = (peckId: string) => createHash('sha256').update(peckId).digest('base64url').slice(0, 32)

/** From the request to its message at the push service, at a rate that leaves time. */
async function measureWait({ agents, database, pools, services, start }: Setting): Promise<void> {
  await database.query(`DELETE FROM "Outbox"`)
  const server = await start('api,worker')
  const load = { origin: server.origin, agents, connections, pools: { fast: pools.fast } }
  await ask({ ...load, seconds: 2 })
  await services.take()
  const { seconds } = settings.reach
  const asked = await ask({ ...load, seconds, perSecond: calmPerSecond })
  await wait(2_000)
  const { arrivals } = await services.take()
  const waits = asked.flatMap(({ peckId, sentAt }) => {
    const at = arrivals[topicOf(peckId)]
    return at === undefined ? [] : [at - sentAt]
  })
  const { p50, p99 } = quantiles(waits)
  print(
    `From the request to the push service, at ${calmPerSecond} requests a second: p50 ${format(p50)} ms, p99 ${format(p99)} ms (${waits.length} of ${asked.length} arrived).`,
  )
  await server.stop()
}

/** Prints the figures. */
export async function reach(): Promise<void> {
  const setting = await prepare()
  const count = await countChannels(setting.database)
  print(`## Announcements on channels, with ${count.toLocaleString('en-US')} subscriptions`)
  await compareRequests(setting)
  await measureDrain(setting)
  await measureWait(setting)
  await setting.database.end()
}
