/** Servers that are ready to be measured, and how a scenario runs on them. */
import { randomBytes } from 'node:crypto'
import { Client, type HttpRequest } from './drive/connection'
import type { Driver } from './drive/driver'
import type { LoopResult } from './drive/loops'
import { compareFlows, introducePeople } from './same-rows'
import { beakScenarios, byHandScenarios } from './scenarios/beak'
import type { FlowName } from './scenarios/flows'
import {
  betterAuthScenarios,
  honoScenarios,
  plainScenarios,
  prepareBetterAuth,
  preparePlain,
} from './scenarios/references'
import type { FlowScenario, ReferenceWorld, RequestScenario } from './scenarios/scenario'
import { type AgentOwner, type Member, prepareWorld, richPassword, type World } from './scenarios/world'
import type { Server } from './servers/server'

const peopleCount = 64
const richCount = 4

/** How much load one run makes. */
interface RunSize {
  seconds: number
  connections: number
  flows: number
}

type Load = () => Promise<LoopResult>

/** A server whose scenarios can be run by name. */
export interface Subject {
  server: Server
  /** Makes what a run needs, and returns the load. Only the load is measured. */
  prepare(driver: Driver, scenario: string, size: RunSize): Promise<Load>
}

/** Prepares and runs a scenario. */
export async function runScenario(
  subject: Subject,
  driver: Driver,
  scenario: string,
  size: RunSize,
): Promise<LoopResult> {
  const load = await subject.prepare(driver, scenario, size)
  return load()
}

const newRun = () => randomBytes(4).toString('hex')

function find<T extends { name: string }>(scenarios: T[], name: string): T {
  const scenario = scenarios.find((candidate) => candidate.name === name)
  if (!scenario)
    throw new Error(`There is no scenario "${name}". \`npm run bench -- list\` prints all names.`)
  return scenario
}

async function prepareRequests<W>(
  driver: Driver,
  client: Client,
  scenario: RequestScenario<W>,
  world: W,
  { seconds, connections }: RunSize,
  origin = client.origin,
): Promise<Load> {
  const requests: HttpRequest[] = await scenario.requests(world, client)
  const { status = 200 } = scenario
  return () => driver.requests({ origin, requests, seconds, connections, status })
}

/** Signs people up, with verified addresses. */
export async function signUpPeople(
  driver: Driver,
  server: Server,
  count: number,
  password?: string,
): Promise<Member[]> {
  const input = { run: newRun(), codes: server.codes, people: [], addresses: [], password }
  const load = { origin: server.origin, seconds: 300, flows: 16, max: count }
  const { result, made } = await driver.flow('sign-up', load, input)
  if (made.length < count) throw new Error(`${server.name}: sign-up failed: ${result.firstError}`)
  return made
}

/**
 * Runs the flows of Beak. An address gets at most three codes in ten minutes, so each sign-in needs an account that has not signed in
 * yet: those of the last sign-up runs, and new ones when they are not enough.
 */
class BeakFlows {
  #addresses: string[] = []
  #signInsPerSecond = 30

  constructor(
    private readonly server: Server,
    private readonly people: AgentOwner[],
  ) {}

  async prepare(driver: Driver, { flow }: FlowScenario, size: RunSize): Promise<Load> {
    if (flow === 'sign-in') await this.#signUpFor(driver, size.seconds)
    return () => this.#run(driver, flow, size)
  }

  async #run(driver: Driver, flow: FlowName, size: RunSize): Promise<LoopResult> {
    const { result, made } = await this.#flow(driver, flow, this.#addresses, size)
    if (flow === 'sign-in') {
      this.#addresses = this.#addresses.slice(result.count + result.errors + size.flows)
      this.#signInsPerSecond = result.count / result.seconds
    }
    this.#addresses.push(...made.map(({ email }) => email))
    return result
  }

  #flow(driver: Driver, name: FlowName, addresses: string[], { seconds, flows }: RunSize) {
    const { origin, codes } = this.server
    const load = { origin, seconds, flows, max: Number.MAX_SAFE_INTEGER }
    return driver.flow(name, load, { run: newRun(), codes, people: this.people, addresses })
  }

  async #signUpFor(driver: Driver, seconds: number): Promise<void> {
    const missing = Math.ceil(this.#signInsPerSecond * seconds * 1.5) + 50 - this.#addresses.length
    if (missing <= 0) return
    const made = await signUpPeople(driver, this.server, missing)
    this.#addresses.push(...made.map(({ email }) => email))
  }
}

/** A Beak server with what its scenarios use. */
export interface BeakSubject extends Subject {
  world: World
}

/** Fills a Beak server with people and returns it with its scenarios. */
export async function beakSubject(driver: Driver, server: Server): Promise<BeakSubject> {
  const client = new Client(server.origin)
  const members = await signUpPeople(driver, server, peopleCount)
  const rich = await signUpPeople(driver, server, richCount, richPassword)
  const world = await prepareWorld(client, members, rich)
  const flows = new BeakFlows(server, world.people)
  return {
    server,
    world,
    async prepare(driver, name, size) {
      const scenario = find(beakScenarios, name)
      if (scenario.kind === 'flow') return flows.prepare(driver, scenario, size)
      return prepareRequests(driver, client, scenario, world, size)
    },
  }
}

function referenceSubject(
  server: Server,
  scenarios: (RequestScenario<ReferenceWorld> | FlowScenario)[],
  world: ReferenceWorld,
): Subject {
  const client = new Client(server.origin)
  return {
    server,
    async prepare(driver, name, size) {
      const scenario = find(scenarios, name)
      if (scenario.kind === 'requests') return prepareRequests(driver, client, scenario, world, size)
      const load = {
        origin: server.origin,
        seconds: size.seconds,
        flows: size.flows,
        max: Number.MAX_SAFE_INTEGER,
      }
      const input = { run: newRun(), codes: server.codes, people: [], addresses: world.addresses }
      return async () => (await driver.flow(scenario.flow, load, input)).result
    },
  }
}

export function honoSubject(server: Server): Subject {
  return referenceSubject(server, honoScenarios, { tokens: [], apiKeys: [], addresses: [] })
}

export async function plainSubject(server: Server): Promise<Subject> {
  return referenceSubject(server, plainScenarios, await preparePlain(new Client(server.origin)))
}

export async function betterAuthSubject(driver: Driver, server: Server): Promise<Subject> {
  const world = await prepareBetterAuth(new Client(server.origin), driver, server)
  return referenceSubject(server, betterAuthScenarios, world)
}

/** Times that depend on what a server has seen and not written yet. */
const changing = /"(last_seen_at|last_used_at)":("[^"]*"|null)/g

/** Throws unless both servers give the same answer, apart from what `changing` matches. */
async function compareAnswers(own: Client, beak: Client, request: HttpRequest): Promise<void> {
  const answerOf = async (client: Client) => (await client.exchange(request)).text().replace(changing, '')
  const [byHand, expected] = [await answerOf(own), await answerOf(beak)]
  if (byHand !== expected)
    throw new Error(`${request.path}: the server by hand answers differently.\n${byHand}\n${expected}`)
}

/** Throws unless both servers answer all requests that are written by hand in the same way, and all flows leave the same rows. */
async function compareServers(server: Server, beak: BeakSubject): Promise<void> {
  const [own, beakClient] = [new Client(server.origin), new Client(beak.server.origin)]
  const { databaseUrl, codes } = server
  const { people } = beak.world
  for (const scenario of byHandScenarios) {
    if (scenario.kind !== 'requests') continue
    for (const request of await scenario.requests(beak.world, beakClient))
      await compareAnswers(own, beakClient, request)
  }
  if (databaseUrl === null) throw new Error('Work by hand needs the database of Beak.')
  await introducePeople(beakClient, databaseUrl, people)
  const flows = byHandScenarios.flatMap((scenario) => (scenario.kind === 'flow' ? [scenario.flow] : []))
  await compareFlows(flows, { databaseUrl, codes, people, byHand: own.origin, beak: beakClient.origin })
}

/** Returns the server that works by hand on the database of `beak`. It must give the same answers and leave the same rows. */
export async function byHandSubject(server: Server, beak: BeakSubject): Promise<Subject> {
  await compareServers(server, beak)
  const beakClient = new Client(beak.server.origin)
  const flows = new BeakFlows(server, beak.world.people)
  return {
    server,
    async prepare(driver, name, size) {
      const scenario = find(byHandScenarios, name)
      if (scenario.kind === 'flow') return flows.prepare(driver, scenario, size)
      return prepareRequests(driver, beakClient, scenario, beak.world, size, server.origin)
    },
  }
}
