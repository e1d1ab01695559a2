import cluster, { type Worker } from 'node:cluster'
import type { Server, ServerResponse } from 'node:http'
import { log } from '@/lib/kernel/runtime/log'
import { takeInMemory } from './limiter'
import { answerFor, changePlaceInMemory } from './places'

const idleCheckMs = 50

/**
 * Returns a function that ends a server and resolves when its last connection is closed. Requests that have begun may finish, for `waitMs` at
 * most. Event streams end at once, because their clients connect again by themselves.
 */
export function drainable(server: Server, waitMs = 5_000): () => Promise<void> {
  const streams = new Set<ServerResponse>()
  server.on('request', (request, response) => {
    if (!request.headers.accept?.includes('text/event-stream')) return
    streams.add(response)
    response.once('close', () => streams.delete(response))
  })
  return () =>
    new Promise((resolve) => {
      // A connection that is kept alive becomes idle after its answer.
      const idle = setInterval(() => server.closeIdleConnections(), idleCheckMs)
      const end = setTimeout(() => server.closeAllConnections(), waitMs)
      server.close(() => {
        clearInterval(idle)
        clearTimeout(end)
        resolve()
      })
      for (const response of streams) response.destroy()
    })
}

/** Runs the service in several processes that share one port (`WEB_CONCURRENCY`). */

/** The pause before a process that ended while it was starting is started again. */
const restartMs = 1_000

/** The exit code of a process. A process that was killed has none. */
const failed = 1

/**
 * Starts `count` processes of the program, and starts another one whenever one ends. Ends with the exit code of a process that fails
 * before any process serves. A signal to stop goes to all processes, and this one ends after them.
 */
export function runProcesses(count: number, program: string): void {
  let isServing = false
  let isStopping = false
  let exitCode = 0

  cluster.setupPrimary({ exec: program })
  const start = () => {
    if (isStopping) return
    const worker = cluster.fork()
    answerFor(worker, (one) => ('lease' in one ? changePlaceInMemory(one) : takeInMemory(one)))
    worker.once('listening', () => {
      isServing = true
    })
  }
  const stop = (signal: NodeJS.Signals) => {
    isStopping = true
    for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill(signal)
  }
  cluster.on('exit', (worker: Worker, code: number | null, signal: NodeJS.Signals | null) => {
    if (!isServing && !isStopping) {
      exitCode = code ?? failed
      stop('SIGTERM')
    }
    if (isStopping) {
      if (Object.keys(cluster.workers ?? {}).length === 0) process.exit(exitCode)
      return
    }
    log().error({ pid: worker.process.pid, code, signal }, 'a process ended and is started again')
    setTimeout(start, restartMs)
  })
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stop(signal))
  for (let started = 0; started < count; started++) start()
}
