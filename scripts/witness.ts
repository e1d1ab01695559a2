/** `npm run witness -- --log <vkey>`: a witness of transparency logs. See docs/audit/witness.md. */
import { once } from 'node:events'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import {
  formatVerifierKey,
  isKeyName,
  parseVerifierKey,
  type VerifierKey,
} from '@beak/client/verify/log/verifier-key'
import { readRecorded } from '@/lib/domain/tlog/witness'
import { witnessServer } from '@/lib/domain/tlog/witness-server'
import { folderStore, openFolder, readWitnessKey, WitnessFault } from '@/lib/domain/tlog/witness-store'

const usage = `Usage: npm run witness -- --log <vkey> [--log <vkey> …] [options]

  --log <vkey>      a verifier key of a log, from its /.well-known/tlog/vkeys; can be given several times
  --name <name>     the name of this witness, a URL without a scheme; default localhost:<port>/witness
  --port <number>   the port to listen on; default 8081
  --host <address>  the address to listen on; default 127.0.0.1
  --data <folder>   the folder for the key and the last checkpoints; default .witness
`

const options = {
  log: { type: 'string', multiple: true, default: [] as string[] },
  name: { type: 'string' },
  port: { type: 'string', default: '8081' },
  host: { type: 'string', default: '127.0.0.1' },
  data: { type: 'string', default: '.witness' },
} as const

function readLog(text: string): VerifierKey {
  const key = parseVerifierKey(text)
  if (key === null) throw new WitnessFault(`--log ${text}: this is not a verifier key.\n\n${usage}`)
  if (key.type !== 'ed25519')
    throw new WitnessFault(`--log ${text}: this is the key of a witness, not of a log.\n\n${usage}`)
  return key
}

function readOptions() {
  const { values } = (() => {
    try {
      return parseArgs({ options })
    } catch (error) {
      throw new WitnessFault(`${(error as Error).message}\n\n${usage}`)
    }
  })()
  const { log, name, host, data } = values
  if (log.length === 0) throw new WitnessFault(`Name a log with --log.\n\n${usage}`)
  if (name !== undefined && !isKeyName(name))
    throw new WitnessFault('--name: a name must not contain spaces or plus signs.')
  const port = /^\d{1,5}$/.test(values.port) ? Number(values.port) : 0
  if (port < 1 || port > 65535) throw new WitnessFault(`--port: ${values.port} is not a port number.`)
  return { logs: log.map(readLog), name: name ?? null, port, host, folder: resolve(data) }
}

const say = (line: string) => void process.stdout.write(`${line}\n`)

async function start(): Promise<void> {
  const { logs, name, port, host, folder } = readOptions()
  await openFolder(folder)
  const store = folderStore(folder, say)
  const { key, privateKey } = await readWitnessKey(folder, name, `localhost:${port}/witness`)
  for (const log of logs) await readRecorded(store, log.name)
  const server = witnessServer({ key, privateKey, logs, store }, say)
  server.listen(port, host)
  await once(server, 'listening')
  const stop = () => {
    // Waits for running requests.
    server.close(() => process.exit(0))
    server.closeIdleConnections()
    setTimeout(() => server.closeAllConnections(), 5_000).unref()
  }
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${port}`
  say(`The witness ${key.name} is running at ${url}`)
  say(`  Verifier key  ${formatVerifierKey(key)}`)
  say(`  For the log   TLOG_WITNESSES=${formatVerifierKey(key)}@${url}`)
  say(`  Data folder   ${folder}`)
}

start().catch((error: unknown) => {
  const isPortTaken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE'
  const text = isPortTaken
    ? 'The port is in use. Stop the program that uses it, or choose another port with --port.'
    : error instanceof WitnessFault
      ? error.message
      : String(error instanceof Error ? error.stack : error)
  process.stderr.write(`${text}\n`)
  process.exit(1)
})
