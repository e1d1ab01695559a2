/**
 * The process: API, pages and outbox worker on one port. The route table answers requests to the API without Next, which costs about
 * 0.015 ms of CPU instead of 0.8. Scripts and styles come from the folder of the build. Next answers all other requests.
 */

import cluster from 'node:cluster'
import { existsSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { getRequestListener } from '@hono/node-server'
import { isApi, isForPrograms, isOAuth, lacksPrefix, probesOf, serve } from '@/app/beak/_api/serve'
import { table } from '@/app/beak/_api/table'
import { closeDatabase, database, openDatabase } from '@/lib/db/client'
import { createPrivateFiles } from '@/lib/db/private-files'
import { roleWarning, settingsWarning } from '@/lib/db/role'
import { requireNewestEvent } from '@/lib/domain/backup/watch-age'
import { nodeListener } from '@/lib/http/adapters'
import { peerHeader, peerHeaderValue } from '@/lib/http/address'
import { admitToPages } from '@/lib/http/address-limit'
import { correctDate } from '@/lib/http/answer'
import {
  invitationForProgram,
  isServedAtRoot,
  refuseOutsideBasePath,
  stripBasePath,
} from '@/lib/http/base-path'
import type { Answer, Call } from '@/lib/http/call'
import { isAsset, isClientFile, serveAssets, serveClients } from '@/lib/http/client-files'
import { admitToOutbox, hasOutboxPage, onNewOutboxAddress, outboxAddress } from '@/lib/http/dev-outbox'
import { drainable, runProcesses } from '@/lib/http/drain'
import { languageOf } from '@/lib/http/language'
import { serveMetrics } from '@/lib/http/metrics/serve'
import { setOwnHost } from '@/lib/http/own-host'
import { logConsole, renderWithResponse } from '@/lib/http/page-errors'
import { answerParseError, hasTwoHosts, refuseMalformed } from '@/lib/http/parse'
import { startSignals, stopSignals } from '@/lib/infrastructure/events/signals'
import { prepareKeys } from '@/lib/infrastructure/keys/signing-keys'
import { type Config, config, warningsOf } from '@/lib/kernel/config'
import { pagesFolder } from '@/lib/kernel/config/base-url.mjs'
import { isOAuthPath, oauthMetadataAtRoot } from '@/lib/kernel/request/oauth-paths'
import { readClock } from '@/lib/kernel/runtime/clock'
import { log } from '@/lib/kernel/runtime/log'
import { howToBuildPages } from '@/lib/kernel/service/release'
import { ConfigurationError, StartProblem } from '@/lib/kernel/service/start-problem'
import { inLanguage } from '@/lib/kernel/text/language-scope'
import { withOperatorSocket } from '@/lib/operator/serve'
import { startWorker } from '@/lib/worker/start'

const isDevelopment = process.argv.includes('--dev')
/** Headers and body must arrive within 15 s (security bar, check-66). By default, Node checks only every 30 s. */
const timeouts = {
  requestTimeout: 15_000,
  headersTimeout: 15_000,
  connectionsCheckingInterval: 1_000,
  keepAliveTimeout: 65_000,
}

/** Returns the path and query of a request target, which may be a whole URL (RFC 9112, section 3.2.2). */
function pathOf(target: string): string {
  return target.replace(/^https?:\/\/[^/?#]*\/?/i, '/')
}

/** Answers `TRACE` and `OPTIONS *` with 405. Next would fail on them. */
function refuseMethod(response: ServerResponse): void {
  response.writeHead(405, { Allow: 'GET, HEAD, POST, OPTIONS', 'Content-Length': 0 }).end()
}

/** Next fixes the path of the pages when it builds them, so there must be a build for the path of `BASE_URL`. */
function requirePages(basePath: string): void {
  if (isDevelopment || existsSync(join(pagesFolder(basePath), 'BUILD_ID'))) return
  throw new ConfigurationError([
    `BASE_URL: the pages are not built for ${basePath === '' ? 'an address without a path' : `the path ${basePath}`}. ${howToBuildPages()}`,
  ])
}

/**
 * Lets the heap grow by 40% and not to four times what is in use before garbage is collected. Measured under load: 310 instead of 450 to
 * 670 MiB, for 3% more CPU.
 *
 * And makes no new object in the old generation. V8 does that for objects of a kind of which many have lived long, such as those of the
 * start. Those of each later request then keep everything of their request until a full collection: 0.07 instead of 0.05 ms for a plain call,
 * a quarter of it garbage collection.
 */
function tuneHeap(): void {
  setFlagsFromString('--heap-growing-percent=40')
  setFlagsFromString('--no-allocation-site-pretenuring')
}

/** Whether a request target is the MCP server. */
function isMcp(target: string): boolean {
  return /^\/mcp\/?(?:\?|$)/.test(target)
}

/** Answers a request to the MCP server. Loads its library with the first one, because most processes never get any. */
async function answerMcpLater(call: Call): Promise<Answer> {
  const { answerMcp } = await import('@/app/mcp/_server/answer')
  return answerMcp(call)
}

/** Answers a request to the authorization server. Loads its library with the first one. */
async function answerOAuthLater(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (!(await admitToPages(request, response))) return
  const { answerOAuth } = await import('@/app/oauth/_server/listener')
  return answerOAuth(request, response)
}

/** Loads Next, which a process without pages never does. Returns the listeners of the pages and of their scripts and styles. */
async function prepareWeb(port: number, basePath: string) {
  const { default: next } = await import('next')
  const pages = next({
    dev: isDevelopment,
    dir: process.cwd(),
    port,
    hostname: 'localhost',
    // Next listens for `upgrade` events on the server that it is given. With such a listener, Node passes every request that offers
    // an upgrade (some clients offer HTTP/2 by default) to the listener. Only development needs that, so Next gets a server that never listens.
    ...(isDevelopment ? {} : { httpServer: createServer() }),
  })
  await pages.prepare()
  const assets = getRequestListener(serveAssets(pagesFolder(basePath)), { overrideGlobalObjects: false })
  return { assets, page: pages.getRequestHandler() }
}

/** Opens the port of the metrics, unless another process does. Loads their library only when they are wanted. */
async function openMetrics(): Promise<Server | null> {
  const { metrics } = config()
  if (metrics === null) return null
  const { gatherFromProcesses, makeRegistry, reportToPrimary } = await import('@/lib/http/metrics/registry')
  if (cluster.isWorker) {
    reportToPrimary()
    return null
  }
  const registry = config().processes > 1 ? null : makeRegistry()
  return serveMetrics(metrics, registry === null ? gatherFromProcesses() : () => registry.metrics())
}

async function start(): Promise<void> {
  tuneHeap()
  if (!isDevelopment) logConsole()
  createPrivateFiles()
  const { port, basePath, roles } = config()
  if (roles.has('web')) requirePages(basePath)
  await openDatabase()
  await prepareKeys()
  await requireNewestEvent(readClock())
  startSignals()
  // Starts before Next, because the instrumentation of Next starts a worker in its own bundle when none is running.
  const worker = await withOperatorSocket(await startWorker())
  const api = nodeListener(serve(roles.has('api') ? table : probesOf(table)))
  const mcp = roles.has('api') ? nodeListener(answerMcpLater) : api
  const clients = nodeListener(serveClients())
  const hasClients = roles.has('api') || roles.has('web')
  // Without pages, the table answers their addresses like other unknown ones: 404.
  const web = roles.has('web') ? await prepareWeb(port, basePath) : null
  const server = createServer(timeouts, (request: IncomingMessage, response: ServerResponse) => {
    correctDate(response)
    if (hasTwoHosts(request)) return refuseMalformed(response)
    const path = pathOf(request.url ?? '/')
    const target = stripBasePath(basePath, path) ?? (isServedAtRoot(path) && isApi(table, path) ? path : null)
    if (!path.startsWith('/')) return refuseMethod(response)
    const metadata = oauthMetadataAtRoot(path, basePath)
    if (metadata !== null && roles.has('api')) {
      request.url = metadata
      return void answerOAuthLater(request, response)
    }
    if (target === null) {
      // OAuth has its addresses at the root of the host.
      if (roles.has('api') && isOAuth(request.method, path)) return void api(request, response)
      return refuseOutsideBasePath(response)
    }
    request.url = target
    if (roles.has('api') && isOAuthPath(target)) return void answerOAuthLater(request, response)
    // In development, Next answers API requests too, because it reloads changed code.
    const isForApi =
      isForPrograms(table, request.method, target) ||
      (roles.has('api') && lacksPrefix(table, target, request.headers))
    const isForTable = isForApi && !(isDevelopment && roles.has('api'))
    if (isForTable) return void api(request, response)
    if (isMcp(target) && !(isDevelopment && roles.has('api'))) return void mcp(request, response)
    if (hasClients && isClientFile(target, request.headers.accept ?? '', web !== null))
      return void admitToPages(request, response).then((isAdmitted) => {
        if (isAdmitted) void clients(request, response)
      })
    const invitation = roles.has('api') ? invitationForProgram(target, request.headers.accept ?? '') : null
    if (invitation !== null) request.url = invitation
    if (web === null || invitation !== null) return void api(request, response)
    if (!isDevelopment && isAsset(target)) return void web.assets(request, response)
    if (request.method === 'TRACE') return refuseMethod(response)
    request.url = `${basePath}${target}`
    request.headers[peerHeader] = peerHeaderValue(request.socket.remoteAddress ?? '', request.rawHeaders)
    if (admitToOutbox(request, response)) return
    setOwnHost(request)
    const render = () =>
      inLanguage(languageOf(request.headers['accept-language']), () =>
        renderWithResponse(response, () => web.page(request, response)),
      )
    if (isDevelopment) return void render()
    return void admitToPages(request, response).then((isAdmitted) => {
      if (isAdmitted) render()
    })
  })
  const drain = drainable(server)
  server.on('clientError', answerParseError)
  const metrics = await openMetrics()
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, resolve))

  let stopping = false
  const stop = async (signal: string) => {
    if (stopping) return
    stopping = true
    log().info({ signal }, 'stopping')
    metrics?.close()
    metrics?.closeAllConnections()
    // The database stays open until the last request has its answer.
    await Promise.all([drain(), worker.stop()])
    await stopSignals()
    await closeDatabase()
    process.exit(0)
  }
  process.once('SIGTERM', () => void stop('SIGTERM'))
  process.once('SIGINT', () => void stop('SIGINT'))

  // With several processes, the first one prints for all.
  if (!cluster.isWorker || cluster.worker?.id === 1) {
    announce(config())
    const { embedded, tx } = database()
    const warnings = embedded === null ? [await roleWarning(tx), await settingsWarning(tx)] : []
    for (const warning of warnings) if (warning !== null) log().warn(warning)
  }
}

/** Prints where the service runs, and the warnings about its configuration. */
function announce({ baseUrl, dataDir, databaseUrl, smtp, hasOutbox }: Config): void {
  const print = (line: string) => process.stdout.write(`${line}\n`)
  const database =
    databaseUrl === null
      ? `embedded, in ${join(dataDir, 'db')}. A power cut can damage it: keep backups, or use PostgreSQL`
      : 'PostgreSQL'
  // The first browser that opens the address may read the outbox. Another browser needs another address.
  print(`\n  Beak is running at ${hasOutboxPage() ? outboxAddress() : baseUrl}`)
  onNewOutboxAddress((address) => print(`  For the outbox in another browser: ${address}`))
  print(`  API reference       ${baseUrl}/beak/openapi.json`)
  print(`  Database            ${database}`)
  print(
    `  Mail                ${smtp !== null ? 'SMTP' : hasOutbox ? `one file per message in ${join(dataDir, 'outbox')}` : 'none'}\n`,
  )
  for (const warning of warningsOf(config())) log().warn(warning)
}

/** Runs the service in this process, or starts the processes that run it. */
async function main(): Promise<void> {
  const { processes } = config()
  if (processes === 1 || cluster.isWorker) return start()
  await openMetrics()
  runProcesses(processes, fileURLToPath(import.meta.url))
}

main().catch((error: unknown) => {
  const isPortTaken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE'
  if (isPortTaken)
    process.stderr.write(
      `\nPort ${config().port} is in use. Stop the program that uses it, or choose another port with PORT.\n\n`,
    )
  else
    process.stderr.write(
      error instanceof StartProblem
        ? `\n${error.message}\n\n`
        : `\n${error instanceof Error ? error.stack : String(error)}\n\n`,
    )
  process.exit(1)
})
