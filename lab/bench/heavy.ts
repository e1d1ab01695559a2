/**
 * `npm run bench -- heavy`: the profile of one account, alone and then beside another account that makes heavy calls within its limits: details of
 * 100 requests, an inbox of 1,000, a rehearsal over 1,000. The limits of the other account are the usual ones, and it waits as long as it is told.
 */
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { heavyParams, heavyRule } from '@/lib/fixtures/heavy-pecks'
import { Client, type HttpRequest } from './drive/connection'
import { Driver } from './drive/driver'
import { heavyGoal } from './goals'
import { quantiles } from './reach/ask'
import { format, table } from './report'
import { type AgentOwner, bearer, prepareWorld } from './scenarios/world'
import { startBeak } from './servers/beak'
import { freePort } from './servers/free-port'
import { openPostgres } from './servers/postgres'
import { settings } from './settings'
import { signUpPeople } from './subjects'

const pecks = 1_000
const heavyConnections = 8
/** Light calls a second, of which each is sent when its time has come. */
const lightPerSecond = 100
const usualLimit = '600/300'

const print = (text: string) => process.stdout.write(`\n${text}\n`)

/** Fills the inbox of an account with the heaviest requests of its own agent. Returns the ids of some. */
async function fillInbox(database: pg.Client, client: Client, owner: AgentOwner): Promise<string[]> {
  const { peck_id: id } = await client.post<{ peck_id: string }>(
    '/beak/peck/request',
    { target_duckling_id: owner.id, action: 'pay:invoice', scope: 'limited', params: heavyParams },
    { 'X-Beak-Key': owner.beakKey },
  )
  const { rows } = await database.query<{ id: string }>(
    `INSERT INTO "Peck" SELECT (jsonb_populate_record(p, jsonb_build_object(
        'id', p."id" || lpad(n::text, 3, '0'), 'pendingKey', p."pendingKey" || n))).*
      FROM "Peck" p, generate_series(1, $1::int) n WHERE p."id" = $2 RETURNING "id"`,
    [pecks - 1, id],
  )
  return rows.map((row) => row.id)
}

function heavyRequests(owner: AgentOwner, ids: string[]): HttpRequest[] {
  const headers = bearer(owner)
  const rule = heavyRule(owner.agentId)
  return [
    { path: `/beak/peck/details?peck_ids=${ids.slice(0, 100).join()}`, headers },
    { path: '/beak/peck/inbox?limit=1000', headers },
    { method: 'POST', path: '/beak/rule/rehearse', headers, body: { rule } },
  ]
}

/** Sends heavy calls in turn until `isOver`. Returns how many were answered, how many were refused, and how many took more than 20 s. */
async function sendHeavy(origin: string, requests: HttpRequest[], isOver: () => boolean) {
  const counts = { answered: 0, refused: 0, late: 0 }
  let next = 0
  const sendInTurn = async () => {
    const client = new Client(origin)
    while (!isOver()) {
      const request = requests[next++ % requests.length] as HttpRequest
      const answer = await client.exchange(request).catch(() => null)
      if (answer === null) {
        counts.late++
        continue
      }
      const { status, text } = answer
      if (status === 200) counts.answered++
      else if (status !== 429) throw new Error(`a heavy call was answered with ${status}: ${text()}`)
      else {
        counts.refused++
        await wait((JSON.parse(text()) as { retry_after: number }).retry_after * 1000)
      }
    }
    client.close()
  }
  await Promise.all(Array.from({ length: heavyConnections }, sendInTurn))
  return counts
}

/** Sends light calls at an even pace. Returns the milliseconds from the time at which each was due. */
async function sendLight(origin: string, request: HttpRequest, seconds: number): Promise<number[]> {
  const latencies: number[] = []
  const clients: Client[] = []
  const started = performance.now()
  const calls: Promise<void>[] = []
  for (let count = 0; count < seconds * lightPerSecond; count++) {
    const due = started + (count * 1000) / lightPerSecond
    await wait(Math.max(0, due - performance.now()))
    const client = clients.pop() ?? new Client(origin)
    const answered = client.exchange(request).then(({ status }) => {
      if (status !== 200) throw new Error(`a light call was answered with ${status}`)
      latencies.push(performance.now() - due)
      clients.push(client)
    })
    calls.push(answered)
  }
  await Promise.all(calls)
  for (const client of clients) client.close()
  return latencies
}

/** Prints the figures. */
export async function heavy(): Promise<void> {
  const postgres = await openPostgres()
  if (postgres === null)
    throw new Error('There is no PostgreSQL server. Install one, or set BENCH_DATABASE_URL.')
  const databaseUrl = await postgres.createDatabase('heavy')
  const env = { BEAK_ROLES: 'api,worker', LIMIT_AUTHENTICATED: usualLimit }
  const server = await startBeak({
    name: 'beak-heavy',
    port: await freePort(),
    databaseUrl,
    env,
    node: process.execPath,
  })
  const members = await signUpPeople(new Driver(), server, 2)
  const client = new Client(server.origin)
  const { people } = await prepareWorld(client, members, [])
  const [light, caller] = people as [AgentOwner, AgentOwner]
  const database = new pg.Client({ connectionString: databaseUrl })
  await database.connect()
  await database.query(
    'UPDATE "Duckling" SET "limitRate" = 100000000, "limitBurst" = 100000000 WHERE "id" = $1',
    [light.id],
  )
  const ids = await fillInbox(database, client, caller)
  await database.end()
  const profile = { path: '/beak/profile', headers: bearer(light) }
  const { seconds } = settings.heavy
  await sendLight(server.origin, profile, 2)
  const alone = quantiles(await sendLight(server.origin, profile, seconds))
  let isOver = false
  const calling = sendHeavy(server.origin, heavyRequests(caller, ids), () => isOver)
  const beside = quantiles(await sendLight(server.origin, profile, seconds))
  isOver = true
  const { answered, refused, late } = await calling
  const lineOf = (title: string, { p50, p99 }: typeof alone) => [title, format(p50), format(p99)]
  print(
    `## A light call beside heavy ones\n\n${table(
      ['profile, 100 a second', 'p50 ms', 'p99 ms'],
      [lineOf('alone', alone), lineOf('beside an account with heavy calls', beside)],
    )}\n\np99 beside against alone: ${format(beside.p99 / alone.p99)} (goal: at most ${heavyGoal}). Heavy calls: ${answered} answered, ${refused} refused, ${late} later than 20 s.`,
  )
  await server.stop()
}
