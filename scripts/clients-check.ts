/**
 * `npm run clients:check -- --log <address> --vkey <key> <file>`: prints the digest of a package of a client, and looks for its entry in a
 * transparency log. See docs/audit/format.md.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { parseArgs } from 'node:util'
import { clientPackageDigest } from '@beak/proofs/log/entry'
import { remoteLog } from '@beak/proofs/log/remote-log'
import { findEntry } from './approver/find-page'

const usage = `Usage: npm run clients:check -- --log <address> --vkey <key> <file>

  --log <address>  the transparency log: the address of the service, and /.well-known/tlog
  --vkey <key>     a verifier key of the log that you trust; can be given several times
  <file>           the package with the name that it had at the service
`

class UsageFault extends Error {}

function readOptions() {
  const options = { log: { type: 'string' }, vkey: { type: 'string', multiple: true } } as const
  const { values, positionals } = parseArgs({ options, allowPositionals: true })
  const { log, vkey = [] } = values
  const [file] = positionals
  if (log === undefined || vkey.length === 0) throw new UsageFault('Name a log and its key.')
  if (file === undefined || positionals.length > 1) throw new UsageFault('Name one file.')
  return { log, vkey, file }
}

async function check(): Promise<void> {
  const { log, vkey, file } = readOptions()
  const sha256 = createHash('sha256').update(readFileSync(file)).digest('hex')
  const digest = clientPackageDigest({ name: basename(file), sha256 })
  const { index, checkpoint } = await findEntry({ kind: 'client_package', digest }, vkey, remoteLog(log))
  const lines = [
    `Package     ${basename(file)}`,
    `            sha256:${sha256}`,
    `Log         ${checkpoint.origin}`,
    `Checkpoint  ${checkpoint.size} entries, root ${checkpoint.root}`,
    index === null ? 'MISSING     The log has no entry of this package.' : `Found       entry ${index}`,
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
  if (index === null) process.exitCode = 1
}

check().catch((error: Error) => {
  const help = error instanceof UsageFault ? `\n\n${usage}` : '\n'
  process.stderr.write(`${error.message}${help}`)
  process.exitCode = 1
})
