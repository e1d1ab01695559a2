#!/usr/bin/env node
/** `beak dev`: starts a test service, prints how to use it, and ends it with the program that started it. */
import { existsSync, fstatSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { StartProblem } from '@/lib/kernel/service/start-problem'
import { DevFault, parseOptions, refuseRealEnvironment, testEnvironment, usage } from './options'
import { type Announcement, listen, startService } from './service'

async function main(): Promise<void> {
  const options = parseOptions(process.argv.slice(2))
  if (options.isHelp) return void process.stdout.write(`${usage}\n`)
  refuseRealEnvironment(process.env)
  process.chdir(findRoot(dirname(fileURLToPath(import.meta.url))))
  const dataDir = options.data ?? mkdtempSync(join(tmpdir(), 'beak-dev-'))
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  if (options.data === null)
    process.on('exit', () => rmSync(dataDir, { recursive: true, force: true, maxRetries: 3 }))
  let ready: (listener: RequestListener) => void = () => undefined
  const { server, port } = await listen(options.port, new Promise((resolve) => (ready = resolve)))
  const { announcement, listener, stop } = await startService(
    testEnvironment(process.env, { port, dataDir, isJson: options.isJson }),
  )
  ready(listener)
  endWith(async () => {
    server.close()
    server.closeAllConnections()
    await stop()
    process.exit(0)
  })
  process.stdout.write(options.isJson ? `${JSON.stringify(announcement)}\n` : textOf(announcement))
}

/** Returns the folder of the repository or of the package, where the code looks for the migrations and the program of the database. */
function findRoot(folder: string): string {
  return existsSync(join(folder, 'prisma', 'migrations')) ? folder : findRoot(dirname(folder))
}

/** Calls `end` once: at a signal, or when the program at the other end of standard input is gone. */
function endWith(end: () => Promise<void>): void {
  let isEnding = false
  const endOnce = () => {
    if (isEnding) process.exit(1)
    isEnding = true
    void end()
  }
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, endOnce)
  // A shell gives a program in the background /dev/null, which ends at once and means nothing.
  const input = fstatSync(0)
  if (input.isFIFO() || input.isSocket()) process.stdin.on('end', endOnce).on('error', endOnce).resume()
}

function textOf({ url, agent, person, accounts }: Announcement): string {
  const width = Math.max(...accounts.map(({ handle }) => handle.length))
  const lines = accounts.map(({ handle, behaviour }) => `    ${handle.padEnd(width)}  ${behaviour}`)
  return `
  A Beak for tests is running at ${url}

  Accounts that answer by themselves:
${lines.join('\n')}

  export BEAK_URL=${url}
  export BEAK_KEY=${agent.key}
  export BEAK_TOKEN=${person.token}

  curl -s $BEAK_URL/beak/peck/request -H "X-Beak-Key: $BEAK_KEY" -H 'Content-Type: application/json' \\
    -d '{"target_duckling_id":"@always-approves","action":"send:mail","scope":"limited"}'

  Move the clock:  curl -s $BEAK_URL/beak/test/clock -H 'Content-Type: application/json' -d '{"advance":3600}'
  Read the mails:  curl -s $BEAK_URL/beak/test/mails
  Stop it with Ctrl+C.

`
}

const expected = [DevFault, StartProblem]

main().catch((error: NodeJS.ErrnoException) => {
  const isExpected = expected.some((kind) => error instanceof kind) || error.code === 'EADDRINUSE'
  process.stderr.write(`\n${isExpected ? error.message : error.stack}\n\n`)
  process.exit(error instanceof DevFault ? 2 : 1)
})
