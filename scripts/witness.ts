/** `npm run witness -- --log <vkey>`: a witness of transparency logs. See docs/audit/witness.md. */
import { once } from 'node:events'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { remoteLog } from '@beak/proofs/log/remote-log'
import {
  formatVerifierKey,
  isKeyName,
  parseVerifierKey,
  type VerifierKey,
} from '@beak/proofs/log/verifier-key'
import { type Mirror, mirrorFolder, startMirror } from '@/lib/domain/tlog/mirror'
import { cosignNote } from '@/lib/domain/tlog/sign-note'
import { readRecorded } from '@/lib/domain/tlog/witness'
import {
  folderStore,
  openFolder,
  readWitnessKey,
  WitnessFault,
  witnessServer,
} from '@/lib/domain/tlog/witness-server'
import { isLoopback } from '@/lib/kernel/config'
import { readClock } from '@/lib/kernel/runtime/clock'
import { witnessCommand } from '@/lib/kernel/service/release'

const usage = `Usage: ${witnessCommand('--log <vkey> [--log <vkey> …] [options]')}

  --log <vkey>      a verifier key of a log, from its /.well-known/tlog/vkeys; can be given several times
  --name <name>     the name of this witness, a URL without a scheme; default localhost:<port>/witness
  --port <number>   the port to listen on; default 8081
  --host <address>  the address to listen on; default 127.0.0.1
  --data <folder>   the folder for the key and the last checkpoints; default .witness
  --mirror <folder> also keep the tiles of each log, in a subfolder for each
  --log-url <url>   the address of the log for --mirror; default https://<host>/.well-known/tlog from its name.
                    With several logs: --log-url <name>=<url>, for each one that needs it
`

const options = {
  log: { type: 'string', multiple: true, default: [] as string[] },
  name: { type: 'string' },
  port: { type: 'string', default: '8081' },
  host: { type: 'string', default: '127.0.0.1' },
  data: { type: 'string', default: '.witness' },
  mirror: { type: 'string' },
  'log-url': { type: 'string', multiple: true, default: [] as string[] },
} as const

function readLog(text: string): VerifierKey {
  const key = parseVerifierKey(text)
  if (key === null) throw new WitnessFault(`--log ${text}: this is not a verifier key.\n\n${usage}`)
  if (key.type !== 'ed25519')
    throw new WitnessFault(`--log ${text}: this is the key of a witness, not of a log.\n\n${usage}`)
  return key
}

/** Returns the address of each log, which the mirror reads. */
function readAddresses(logs: VerifierKey[], given: string[]): Map<string, string> {
  const origins = [...new Set(logs.map(({ name }) => name))]
  const addresses = new Map(origins.map((origin) => [origin, usualAddress(origin)]))
  for (const text of given) {
    const isPlain = /^https?:/.test(text)
    const split = text.search(/=https?:/)
    const [only = '', second] = origins
    const origin = isPlain ? only : text.slice(0, split)
    const address = isPlain ? text : text.slice(split + 1)
    if (isPlain && second !== undefined)
      throw new WitnessFault(`--log-url ${text}: with several logs, write <name>=<url>.\n\n${usage}`)
    if (!addresses.has(origin))
      throw new WitnessFault(`--log-url ${text}: no --log has this name.\n\n${usage}`)
    if (!URL.canParse(address)) throw new WitnessFault(`--log-url ${text}: this is not a URL.\n\n${usage}`)
    addresses.set(origin, address)
  }
  return addresses
}

/** Returns the address that the name of a log begins with. A later name of the log (`…/tlog/2`) has the same address. */
function usualAddress(origin: string): string {
  const [place = ''] = origin.split('/.well-known/tlog')
  const isLocal = URL.canParse(`http://${place}`) && isLoopback(`http://${place}`)
  return `${isLocal ? 'http' : 'https'}://${place}/.well-known/tlog`
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
  const logs = log.map(readLog)
  const { mirror, 'log-url': given } = values
  if (mirror === undefined && given.length > 0)
    throw new WitnessFault(`--log-url is only for --mirror.\n\n${usage}`)
  const addresses = readAddresses(logs, given)
  return {
    logs,
    name: name ?? null,
    port,
    host,
    folder: resolve(data),
    mirror: mirror === undefined ? null : { folder: resolve(mirror), addresses },
  }
}

const say = (line: string) => void process.stdout.write(`${line}\n`)

/** Starts a mirror for each log. */
function startMirrors({ folder, addresses }: { folder: string; addresses: Map<string, string> }) {
  const mirrors = new Map<string, Mirror>()
  const folders = new Set<string>()
  for (const [origin, url] of addresses) {
    const own = mirrorFolder(folder, origin)
    if (folders.has(own)) throw new WitnessFault(`--mirror: two logs would share the folder ${own}.`)
    folders.add(own)
    mirrors.set(origin, startMirror({ folder: own, readRemote: remoteLog(url), print: say }))
    say(`  Mirror        ${own} of ${url}`)
  }
  return mirrors
}

async function start(): Promise<void> {
  const { logs, name, port, host, folder, mirror } = readOptions()
  await openFolder(folder)
  const store = folderStore(folder, say)
  const { key, privateKey } = await readWitnessKey(folder, name, `localhost:${port}/witness`)
  const mirrors = mirror === null ? null : startMirrors(mirror)
  for (const log of logs) {
    const { note } = await readRecorded(store, log.name)
    if (note === null) continue
    // A kill may have interrupted the copy of this checkpoint.
    const text = note.slice(0, note.indexOf('\n\n') + 1)
    const line = cosignNote(text, key, privateKey, Math.floor(readClock().getTime() / 1000))
    mirrors?.get(log.name)?.update(`${note}${line}`)
  }
  const onCosigned = (origin: string, note: string) => mirrors?.get(origin)?.update(note)
  const server = witnessServer({ key, privateKey, logs, store, onCosigned }, say)
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
