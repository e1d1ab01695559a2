/**
 * Who may use a test service: programs on this computer. The service listens on the loopback address only, so strangers in the network do not
 * reach it. What remains are web pages that the developer visits.
 */

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { findPath, serve } from '@/app/beak/_api/serve'
import { table } from '@/app/beak/_api/table'
import { answerMcp } from '@/app/mcp/_server/answer'
import { closeDatabase, db, openDatabase } from '@/lib/db/client'
import { createPrivateFiles } from '@/lib/db/private-files'
import { anAgent } from '@/lib/factories/agents'
import { nodeListener } from '@/lib/http/adapters'
import type { Answer, Call } from '@/lib/http/call'
import { answerParseError, hasTwoHosts, refuseMalformed } from '@/lib/http/parse'
import { startSignals, stopSignals } from '@/lib/infrastructure/events/signals'
import { prepareKeys } from '@/lib/infrastructure/keys/signing-keys'
import { config, configure } from '@/lib/kernel/config'
import { moveClock } from '@/lib/kernel/runtime/clock'
import { addTestAccount, startTestService } from '@/lib/kernel/service/test-service'
import { version } from '@/lib/kernel/service/version'
import { startWorker } from '@/lib/worker/start'
import { testAccounts } from './accounts'
import { answerPage } from './pages'
import { type SavedPerson, TestPerson } from './people'
import { Robot } from './robot'
import { testTable } from './routes'

const loopbackHost = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/i

/**
 * Whether the call names this computer as its host. A page whose own name was changed to lead to this computer (DNS rebinding) sends that
 * name. For such a page the service is of the same origin, so no other header tells it from a program.
 */
export function namesThisComputer({ headers }: Pick<Call, 'headers'>): boolean {
  return loopbackHost.test(headers.host ?? '')
}

/**
 * Whether a program sent the call, and not a web page. A browser names the origin of a page that sends a request, or where a request comes
 * from.
 */
function isFromProgram({ headers }: Pick<Call, 'headers'>): boolean {
  const site = headers['sec-fetch-site']
  return headers.origin === undefined && (site === undefined || site === 'none')
}

/** The answer to a page at an address of `/beak/test`. */
const refusePage = () => refuse('Only programs on this computer may do this, and no web page.')

/** The answer to a call that names another host. */
const refuseHost = () =>
  refuse('A test service answers only at localhost, 127.0.0.1 and [::1]. Use one of them as the host.')

/** Returns a refusal without the headers that let pages read answers. */
function refuse(detail: string): Answer {
  return {
    status: 403,
    headers: { 'Content-Type': 'application/problem+json', 'Cache-Control': 'no-store' },
    body: JSON.stringify({
      type: 'about:blank',
      title: 'Forbidden',
      status: 403,
      detail,
      message: detail,
      success: false,
    }),
  }
}

/** A running test service: API and worker in one process, on the loopback address only. */

/** What `beak dev --json` prints. */
export interface Announcement {
  url: string
  version: string
  pid: number
  /** The owner of the agent. The session lasts a day, by the clock of the service. */
  person: { duckling_id: string; email: string; token: string }
  agent: { agent_id: string; key: string }
  accounts: { handle: string; duckling_id: string; behaviour: string }[]
}

const host = '127.0.0.1'
const usualPort = 4010

/** Listens on the loopback address. Requests wait until the listener is there. `port`: null is the usual or, when it is taken, a free one. */
export async function listen(
  port: number | null,
  listener: Promise<RequestListener>,
): Promise<{ server: Server; port: number }> {
  const server = createServer((request, response) => {
    listener.then(
      (answer) => answer(request, response),
      () => response.destroy(),
    )
  })
  server.on('clientError', answerParseError)
  const on = (wanted: number) =>
    new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(wanted, host, resolve)
    })
  await on(port ?? usualPort).catch((error: NodeJS.ErrnoException) => {
    if (port !== null || error.code !== 'EADDRINUSE') throw error
    return on(0)
  })
  return { server, port: (server.address() as AddressInfo).port }
}

/** Starts the service with an environment of `testEnvironment`. */
export async function startService(env: NodeJS.ProcessEnv) {
  startTestService()
  configure(env)
  createPrivateFiles()
  await openDatabase()
  await keepTime()
  await prepareKeys()
  startSignals()
  const { robots, owner, agent } = await prepareWorld()
  const worker = await startWorker()
  const catchUp = async () => {
    await worker.catchUp()
    for (const robot of robots) await robot.turn()
  }
  const announcement: Announcement = {
    url: config().baseUrl,
    version,
    pid: process.pid,
    person: { duckling_id: owner.id, email: owner.email, token: owner.token },
    agent,
    accounts: robots.map(({ account: { handle, behaviour }, person }) => ({
      handle: `@${handle}`,
      duckling_id: person.id,
      behaviour,
    })),
  }
  const stop = async () => {
    for (const robot of robots) await robot.stop()
    await worker.stop()
    await stopSignals()
    await closeDatabase()
  }
  return { announcement, listener: makeListener(testTable({ robots, owner, catchUp })), stop }
}

/** Moves the clock to the last event of an earlier process, which may have moved its clock. */
async function keepTime(): Promise<void> {
  const { _max } = await db().auditEvent.aggregate({ _max: { occurredAt: true } })
  if (_max.occurredAt !== null) moveClock(_max.occurredAt)
}

interface SavedWorld {
  owner: SavedPerson
  agent: Announcement['agent']
  accounts: Record<string, SavedPerson>
}

/** Makes the people and the agent, or restores those of an earlier process in the same folder. */
async function prepareWorld() {
  const path = join(config().dataDir, 'test-accounts.json')
  const saved = existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as SavedWorld) : null
  const owner = saved
    ? await TestPerson.restore(saved.owner)
    : await TestPerson.create('TestOwner', 'owner@test.example')
  const agent = saved?.agent ?? (await makeAgent(owner))
  const robots: Robot[] = []
  for (const account of testAccounts) {
    const { handle, displayName } = account
    const known = saved?.accounts[handle]
    const person = known
      ? await TestPerson.restore(known)
      : await TestPerson.create(displayName, `${handle}@test.example`, handle)
    addTestAccount(person.id)
    robots.push(new Robot(account, person))
  }
  const accounts = Object.fromEntries(robots.map(({ account, person }) => [account.handle, person.save()]))
  writeFileSync(path, JSON.stringify({ owner: owner.save(), agent, accounts } satisfies SavedWorld))
  return { robots, owner, agent }
}

async function makeAgent(owner: TestPerson): Promise<Announcement['agent']> {
  const { agentId, beakKey } = await anAgent(owner.asDuckling, { name: 'Test agent', allowQueryKey: false })
  return { agent_id: agentId, key: beakKey }
}

function makeListener(ofTests: ReturnType<typeof testTable>): RequestListener {
  const answer = serve({ ...table, ...ofTests })
  const answerAll = async (call: Call): Promise<Answer> => {
    if (!namesThisComputer(call)) return refuseHost()
    if (/^\/mcp\/?$/.test(call.path)) return answerMcp(call)
    if (findPath(ofTests, call.path) !== null && !isFromProgram(call)) return refusePage()
    return (await answerPage(call, testAccounts)) ?? answer(call)
  }
  const listener = nodeListener(answerAll)
  return (request, response) => {
    if (hasTwoHosts(request)) refuseMalformed(response)
    else void listener(request, response)
  }
}
