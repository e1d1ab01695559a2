/** `npm run approver:check -- --log <address> --vkey <key>`: looks for a page of the approver in a transparency log. See docs/approver.md. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { remoteLog } from '@beak/proofs/log/remote-log'
import { buildApprover } from '@/packages/approver/build.mjs'
import { findPage } from './approver/find-page'

const usage = `Usage: npm run approver:check -- --log <address> --vkey <key> [--digest <SHA-256> | <file>]

  --log <address>     the transparency log: the address of the service, and /.well-known/tlog
  --vkey <key>        a verifier key of the log that you trust; can be given several times
  --digest <SHA-256>  the page by its digest, in hex, as in the release notes
  <file>              the page as a file, for instance a download of the page that you use

Without a digest and a file, the page is built from these sources.
`

class UsageFault extends Error {}

function readOptions() {
  const options = {
    log: { type: 'string' },
    vkey: { type: 'string', multiple: true },
    digest: { type: 'string' },
  } as const
  const { values, positionals } = parseArgs({ options, allowPositionals: true })
  const { log, vkey = [], digest } = values
  const [file] = positionals
  if (log === undefined || vkey.length === 0) throw new UsageFault('Name a log and its key.')
  if (positionals.length > 1 || (file !== undefined && digest !== undefined))
    throw new UsageFault('Name one page.')
  if (digest !== undefined && !/^[\da-f]{64}$/.test(digest))
    throw new UsageFault('--digest takes 64 hex digits in lower case.')
  return { log, vkey, digest, file }
}

async function digestOf(file: string | undefined): Promise<string> {
  if (file !== undefined) return createHash('sha256').update(readFileSync(file)).digest('hex')
  return (await buildApprover(process.cwd())).digest
}

async function check(): Promise<void> {
  const { log, vkey, digest: given, file } = readOptions()
  const digest = given ?? (await digestOf(file))
  const { index, checkpoint } = await findPage(digest, vkey, remoteLog(log))
  const lines = [
    `Page        sha256:${digest}`,
    `Log         ${checkpoint.origin}`,
    `Checkpoint  ${checkpoint.size} entries, root ${checkpoint.root}`,
    index === null ? 'MISSING     The log has no entry of this page.' : `Found       entry ${index}`,
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
  if (index === null) process.exitCode = 1
}

check().catch((error: Error) => {
  const help = error instanceof UsageFault || 'code' in error ? `\n\n${usage}` : '\n'
  process.stderr.write(`${error.message}${help}`)
  process.exitCode = 1
})
