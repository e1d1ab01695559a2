/** A client of event streams that only notes which pecks arrive. */

import { Agent, get } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { Client } from '../drive/connection'
import { Driver } from '../drive/driver'
import { cpuBetween, cpuOf, processTree, residentMiB } from '../measure/processes'
import { type AskLoad, ask, quantiles } from '../reach/ask'
import { format, table } from '../report'
import { type AgentOwner, bearer, type Member, prepareWorld } from '../scenarios/world'
import { startBeak } from '../servers/beak'
import { freePort } from '../servers/free-port'
import { openPostgres } from '../servers/postgres'
import type { Server } from '../servers/server'
import { settings } from '../settings'
import { signUpPeople } from '../subjects'

const agent = new Agent({ maxSockets: Number.POSITIVE_INFINITY })

/** Returns a function that takes the text of a stream in pieces and calls `onPeck` with the id of each peck in it. */
export function peckReader(onPeck: (id: string) => void): (text: string) => void {
  let rest = ''
  return (text) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) if (line.startsWith('id: ')) onPeck(line.slice('id: '.length))
  }
}

export interface StreamEvents {
  onPeck: (id: string) => void
  /** The stream has ended, which an open stream must not do. */
  onEnd: () => void
}

/** Opens a stream of pecks. Returns when the service has sent its first message. */
function openStream(origin: string, token: string, { onPeck, onEnd }: StreamEvents): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = get(`${origin}/beak/peck/stream`, { agent, headers: bearer({ token }) }, (response) => {
      if (response.statusCode !== 200)
        return reject(new Error(`a stream was refused: ${response.statusCode}`))
      response.setEncoding('utf8')
      response.once('data', resolve)
      response.on('data', peckReader(onPeck))
      response.on('close', onEnd)
    })
    request.on('error', reject)
  })
}

/**
 * `npm run bench -- streams`: many idle event streams over three instances on one database. Measures what the streams cost, and how long
 * an event takes to arrive. An event is a peck, and its stream belongs to the target.
 */

const instanceCount = 3
const agentCount = 23
/** Streams that are being opened at the same time. */
const openingCount = 50
/** Events a second on all instances together. The machine has time left at this rate. */
const eventsPerSecond = 21
const warmUpSeconds = 2
/** How long the last events may take. */
const lastEventsMs = 2_000
const goals = { p50: 50, p99: 250 }

const progress = (text: string) => process.stderr.write(`${text}\n`)
const print = (text: string) => process.stdout.write(`\n${text}\n`)

/** An instance and the people whose streams it serves. */
interface Instance {
  server: Server
  people: Member[]
}

/** Starts an instance. `baseUrl`: the address that all of them share, as behind a proxy. Default: its own. */
async function startInstance(databaseUrl: string, number: number, baseUrl?: string): Promise<Server> {
  return startBeak({
    name: `beak-streams-${number}`,
    port: await freePort(),
    databaseUrl,
    env: { BEAK_ROLES: 'api,worker', ...(baseUrl && { BASE_URL: baseUrl }) },
  })
}

/** Starts the instances and signs everybody up. The first instance is alone until then, because each writes its mails to a folder of its own. */
async function startInstances(databaseUrl: string): Promise<{ instances: Instance[]; agents: AgentOwner[] }> {
  const first = await startInstance(databaseUrl, 1)
  const driver = new Driver()
  const members = await signUpPeople(driver, first, agentCount)
  const { people: agents } = await prepareWorld(new Client(first.origin), members, [])
  progress('signing people up …')
  const people = await signUpPeople(driver, first, settings.streams.count)
  const servers = [first]
  while (servers.length < instanceCount)
    servers.push(await startInstance(databaseUrl, servers.length + 1, first.origin))
  const instances = servers.map((server, number) => ({
    server,
    people: people.filter((_, index) => index % instanceCount === number),
  }))
  return { instances, agents }
}

/** What arrived on all streams. */
interface Arrivals {
  /** When each peck arrived, in milliseconds since 1970. */
  at: Map<string, number>
  ended: number
}

async function openStreams(instances: Instance[]): Promise<Arrivals> {
  const arrivals: Arrivals = { at: new Map(), ended: 0 }
  const events = {
    onPeck: (id: string) => void arrivals.at.set(id, performance.timeOrigin + performance.now()),
    onEnd: () => void arrivals.ended++,
  }
  const waiting = instances.flatMap(({ server, people }) =>
    people.map(({ token }) => ({ origin: server.origin, token })),
  )
  const openNext = async () => {
    for (let next = waiting.pop(); next; next = waiting.pop())
      await openStream(next.origin, next.token, events)
  }
  await Promise.all(Array.from({ length: openingCount }, openNext))
  return arrivals
}

/** Opens the streams and prints what they cost while nothing happens. */
async function measureIdle(instances: Instance[]): Promise<Arrivals> {
  const trees = instances.map(({ server }) => processTree(server.pid))
  const before = instances.map(({ server }) => residentMiB(server.pid))
  const arrivals = await openStreams(instances)
  const { seconds } = settings.streams
  const started = trees.map(cpuOf)
  await wait(seconds * 1000)
  const lines = instances.map(({ server, people }, index) => {
    const used = cpuBetween(started[index] ?? new Map(), cpuOf(trees[index] ?? []))
    const resident = residentMiB(server.pid)
    const perStream = ((resident - (before[index] ?? 0)) * 1024) / people.length
    const share = `${format((100 * used) / seconds)}%`
    return [
      `${index + 1}`,
      `${people.length}`,
      format(before[index]),
      format(resident),
      format(perStream),
      share,
    ]
  })
  const head = ['instance', 'streams', 'MiB before', 'MiB', 'KiB a stream', 'of a core']
  print(`### Idle streams\n\n${table(head, lines)}`)
  return arrivals
}

/** Asks people over each instance at the same time. Half of the people have their stream on another instance. */
async function askAll(instances: Instance[], agents: AgentOwner[], seconds: number) {
  const perSecond = eventsPerSecond / instances.length
  const loads: AskLoad[] = instances.map(({ server, people }) => ({
    origin: server.origin,
    agents,
    pools: {
      same: people.map(({ id }) => id),
      other: instances.flatMap((other) => (other.server === server ? [] : other.people.map(({ id }) => id))),
    },
    seconds,
    connections: 4,
    perSecond,
  }))
  return (await Promise.all(loads.map(ask))).flat()
}

async function measureArrival(instances: Instance[], agents: AgentOwner[], { at, ended }: Arrivals) {
  await askAll(instances, agents, warmUpSeconds)
  const asked = await askAll(instances, agents, settings.streams.seconds)
  await wait(lastEventsMs)
  const waits = asked.map(({ pool, peckId, sentAt }) => ({
    pool,
    ms: (at.get(peckId) ?? Number.NaN) - sentAt,
  }))
  const arrived = waits.filter(({ ms }) => Number.isFinite(ms))
  const lineOf = (title: string, some: typeof waits) => {
    const { p50, p99 } = quantiles(some.map(({ ms }) => ms))
    return [title, `${some.length}`, format(p50), format(p99)]
  }
  const from = (pool: string) => arrived.filter((one) => one.pool === pool)
  const answers = asked.map(({ pool, latency }) => ({ pool, ms: latency }))
  const lines = [
    lineOf('the answer to the request', answers),
    lineOf('the event on the same instance', from('same')),
    lineOf('the event on another instance', from('other')),
    lineOf('all events', arrived),
  ]
  const { p50, p99 } = quantiles(arrived.map(({ ms }) => ms))
  const isMet = arrived.length === asked.length && p50 < goals.p50 && p99 < goals.p99
  print(
    `### Arrival, at ${eventsPerSecond} requests a second\n\n${table(
      ['from the sending of a request to', 'count', 'p50 ms', 'p99 ms'],
      lines,
    )}\n\n${arrived.length} of ${asked.length} events arrived, and ${ended} streams ended. Goal: p50 below ${goals.p50} ms and p99 below ${goals.p99} ms. Met: ${isMet ? 'yes' : '**no**'}.`,
  )
}

/** Prints the figures. */
export async function streams(): Promise<void> {
  const postgres = await openPostgres()
  if (postgres === null)
    throw new Error('There is no PostgreSQL server. Install one, or set BENCH_DATABASE_URL.')
  const { instances, agents } = await startInstances(await postgres.createDatabase('streams'))
  const count = settings.streams.count.toLocaleString('en-US')
  print(`## ${count} event streams over ${instanceCount} instances`)
  progress('opening streams …')
  const arrivals = await measureIdle(instances)
  await measureArrival(instances, agents, arrivals)
}
