/**
 * `npm run bench -- growth`: the same calls on a small and a large database, and on a small and a large account of the large one. The
 * answer must not take longer because there are more rows. Few requests are in flight, so p50 is the time of the work and not of a queue.
 */
import { fillAccount } from './data/account'
import { loadPeople } from './data/people'
import { Client, type HttpRequest } from './drive/connection'
import { Driver } from './drive/driver'
import { growthGoals } from './goals'
import { migrateDatabase } from './load'
import { median } from './measure/statistics'
import { format, table } from './report'
import { accountCalls, prepareAccount } from './scenarios/account'
import { beakScenarios } from './scenarios/beak'
import type { Member } from './scenarios/world'
import { startBeak } from './servers/beak'
import { freePort } from './servers/free-port'
import { openPostgres, type Postgres, withClient } from './servers/postgres'
import type { Server } from './servers/server'
import { settings } from './settings'
import { beakSubject, runScenario, type Subject, signUpPeople } from './subjects'

const light = { seconds: Math.min(settings.seconds, 1), connections: 2, flows: 2 }
/** A full page of each filter: one peck in 100 is pending, one delivery in 50 has failed. So both sides of a pair answer with as many rows. */
const smallAccount = { pecks: 1000, events: 20, deliveries: 500 }

const progress = (text: string) => process.stderr.write(`${text}\n`)

/** Measures p50 once. */
type Call = () => Promise<number>

interface Pair {
  title: string
  small: Call
  large: Call
}

/** Creates a database with `count` people and starts Beak on it. */
async function startWithPeople(postgres: Postgres, name: string, count: number): Promise<Server> {
  const databaseUrl = await postgres.createDatabase(name)
  await migrateDatabase(databaseUrl)
  await withClient(databaseUrl, (client) => loadPeople(client, count))
  return startBeak({ name: `beak-${name}`, port: await freePort(), databaseUrl })
}

/** Measures both sides of each pair alternately, and returns a table of medians. */
async function comparePairs(pairs: Pair[], goal: number): Promise<string> {
  const lines: string[][] = []
  for (const { title, small, large } of pairs) {
    const [before, after]: [number[], number[]] = [[], []]
    for (let round = 0; round <= settings.rounds; round++) {
      const [first, second] = [await small(), await large()]
      // The first round warms up caches and connections.
      if (round > 0) before.push(first)
      if (round > 0) after.push(second)
    }
    const ratio = median(after) / median(before)
    const met = ratio <= goal ? 'yes' : '**no**'
    lines.push([title, format(median(before)), format(median(after)), format(ratio), met])
    progress(`${format(ratio)}  ${title}`)
  }
  return table(['call', 'p50 ms small', 'p50 ms large', 'ratio', `at most ${goal}`], lines)
}

function peoplePairs(driver: Driver, small: Subject, large: Subject): Pair[] {
  const callOf = (subject: Subject, name: string) => async () =>
    (await runScenario(subject, driver, name, light)).p50
  return beakScenarios
    .filter(({ name }) => settings.only === null || settings.only.test(name))
    .map(({ name, title }) => ({ title, small: callOf(small, name), large: callOf(large, name) }))
}

function accountPairs(driver: Driver, origin: string, small: Member, large: Member): Pair[] {
  const callOf = (request: HttpRequest) => async () => {
    const load = { origin, requests: [request], seconds: light.seconds, connections: light.connections }
    const result = await driver.requests(load)
    if (result.count === 0) throw new Error(`${request.path}: ${result.firstError}`)
    return result.p50
  }
  return accountCalls
    .filter(({ title }) => settings.only === null || settings.only.test(title))
    .map(({ title, request }) => ({
      title,
      small: callOf(request(small)),
      large: callOf(request(large)),
    }))
}

/** Makes a small and a large account on one server. */
async function makeAccounts(driver: Driver, server: Server): Promise<{ small: Member; large: Member }> {
  const askers = (await signUpPeople(driver, server, 20)).map(({ id }) => id)
  const [small, large] = await signUpPeople(driver, server, 2)
  if (!small || !large || server.databaseUrl === null) throw new Error('the accounts could not be made')
  const client = new Client(server.origin)
  for (const member of [small, large]) await prepareAccount(client, member)
  client.close()
  const { pecks, events, deliveries } = settings.growth
  await withClient(server.databaseUrl, async (database) => {
    await fillAccount(database, small.id, askers, smallAccount)
    await fillAccount(database, large.id, askers, { pecks, events, deliveries })
    await database.query('VACUUM (ANALYZE)')
  })
  return { small, large }
}

const count = (value: number) => value.toLocaleString('en-US')

/** Prints the ratios. */
export async function growth(): Promise<void> {
  const postgres = await openPostgres()
  if (postgres === null)
    throw new Error('There is no PostgreSQL server. Install one, or set BENCH_DATABASE_URL.')
  const { small, large, pecks, events, deliveries } = settings.growth
  const driver = new Driver()
  const smallServer = await startWithPeople(postgres, 'small', small)
  const largeServer = await startWithPeople(postgres, 'large', large)
  const print = (text: string) => process.stdout.write(`\n${text}\n`)

  progress('filling the large account …')
  const accounts = await makeAccounts(driver, largeServer)
  print(
    `## Growth within one account: ${count(pecks)} pecks, ${count(events)} audit events, ${count(deliveries)} deliveries`,
  )
  const accountCallPairs = accountPairs(driver, largeServer.origin, accounts.small, accounts.large)
  print(await comparePairs(accountCallPairs, growthGoals.account))
  print('Lists of the API have 10 rows on both sides.')

  const subjects = [await beakSubject(driver, smallServer), await beakSubject(driver, largeServer)] as const
  print(`## Growth from ${count(small)} to ${count(large)} people`)
  print(await comparePairs(peoplePairs(driver, ...subjects), growthGoals.people))
}
