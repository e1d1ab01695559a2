/**
 * `npm run audit:verify -- export.json`: verifies an audit log and the transparency log without trusting the service. The exit code is 0
 * when there is no fault, else 1.
 */
import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import type { KeptHead } from '@beak/client/verify/audit/signed-head'
import { type AuditReport, verifyAudit } from '@beak/client/verify/audit/verify'
import type { KeySet } from '@beak/client/verify/keys'
import { type KeptProof, presentProof, readKeptProof } from '@beak/client/verify/log/kept-proof'
import { parseVerifierKey, type VerifierKey } from '@beak/client/verify/log/verifier-key'
import { type LogReport, verifyLog } from '@beak/client/verify/log/verify-log'
import { describeAudit, describeLog } from './describe-audit'
import { readJson } from './read-json'
import { logReader } from './read-log'

const usage = `Usage: npm run audit:verify -- [<file>] [options]

  <file>               an account export (GET /beak/account/export), or a page of GET /beak/audit
  --jwks <file|URL>    the public keys of the service, /.well-known/jwks.json; default: the keys in the export
  --duckling <DUCK-…>  the owner of the log, if the file does not contain it
  --head <file>        a head that you kept (GET /beak/audit/head); the log must still contain its event

The transparency log (docs/audit/format.md):
  --checkpoint <file>  a file that you kept: a checkpoint, a response of GET /beak/audit/proof, or an older export
  --log <URL|folder>   where the log is; default: the service that signed the export
  --vkey <key>         a key of the log that you trust; default: the keys in the files, else the keys of the log itself
  --witness <key>      a witness that must have cosigned the newest checkpoint
  --quorum <number>    how many of the witnesses must have cosigned; default: all of them
  --quick              skip the entries of the log, and check only what the proofs need

--head, --checkpoint, --vkey and --witness can be given several times.
`

const many = { type: 'string' as const, multiple: true as const, default: [] as string[] }

const options = {
  jwks: { type: 'string' },
  duckling: { type: 'string' },
  head: many,
  checkpoint: many,
  log: { type: 'string' },
  vkey: many,
  witness: many,
  quorum: { type: 'string' },
  quick: { type: 'boolean', default: false },
} as const

type Options = ReturnType<typeof readArguments>['values']

const readArguments = () => parseArgs({ allowPositionals: true, options })

async function readHeads(places: string[]): Promise<KeptHead[]> {
  return Promise.all(places.map(async (name) => ({ name, text: await readFile(name, 'utf8') })))
}

async function readProofs(places: string[], fromExport: unknown): Promise<KeptProof[]> {
  const proofs = await Promise.all(
    places.map(async (name) => {
      const proof = readKeptProof(name, await readFile(name, 'utf8'))
      if (proof) return proof
      throw new Error(`${name} is neither a checkpoint nor a response of GET /beak/audit/proof.`)
    }),
  )
  const own = presentProof('The export', fromExport)
  return own ? [...proofs, own] : proofs
}

function readVerifierKeys(texts: string[], type: VerifierKey['type']): VerifierKey[] {
  return texts.map((text) => {
    const key = parseVerifierKey(text)
    if (key?.type === type) return key
    throw new Error(
      type === 'ed25519'
        ? `"${text}" is not the key of a log. Expected name+id+key, as in <log>/vkeys.`
        : `"${text}" is not the key of a witness. Expected name+id+key, as the witness prints it.`,
    )
  })
}

function readQuorum({ quorum, witness }: Options): number {
  const number = quorum === undefined ? witness.length : Number(quorum)
  if (Number.isInteger(number) && number >= 0 && number <= witness.length) return number
  throw new Error(`--quorum must be a number from 0 to ${witness.length}, the number of named witnesses.`)
}

/** Verifies the log when an option requires it, else only the proof in the export. Returns null when there is neither. */
async function checkLog(values: Options, audit: AuditReport | null): Promise<LogReport | null> {
  const proofs = await readProofs(values.checkpoint, audit?.logProof ?? null)
  const isWanted =
    values.log !== undefined || [values.checkpoint, values.witness].some(({ length }) => length > 0)
  if (!isWanted && proofs.length === 0) return null
  const issuer = audit?.head?.iss
  const place = values.log ?? (issuer && `${issuer}/.well-known/tlog`)
  if (isWanted && place === undefined) throw new Error('Name the log to compare with: --log <URL or folder>.')
  readVerifierKeys(values.vkey, 'ed25519')
  return verifyLog({
    proofs,
    readFile: isWanted && place !== undefined ? logReader(place) : null,
    vkeys: values.vkey,
    origin: issuer && `${issuer.replace(/^https?:\/\//, '')}/.well-known/tlog`,
    own: audit?.ducklingId
      ? {
          ducklingId: audit.ducklingId,
          events: audit.chain,
          isPart: audit.isPart,
          heads: presentProof('', audit.logProof)?.heads,
        }
      : null,
    witnesses: readVerifierKeys(values.witness, 'cosignature'),
    quorum: readQuorum(values),
    isQuick: values.quick,
    onProgress: reportProgress,
  })
}

/** Prints a line after each tenth of a long log. */
function reportProgress(checked: number, of: number): void {
  const step = Math.ceil(of / 10)
  if (of >= 10_000 && Math.floor(checked / step) > Math.floor((checked - 256) / step))
    process.stderr.write(`${checked} of ${of} entries of the log checked\n`)
}

const noProof =
  'The file has no proof from the transparency log, so nothing was compared with the log. To compare: --log <URL>.'

function print(isSound: boolean, text: string): void {
  ;(isSound ? process.stdout : process.stderr).write(`${text}\n`)
  if (!isSound) process.exitCode = 1
}

async function main(): Promise<void> {
  const { values, positionals } = readArguments()
  const [place, ...others] = positionals
  const hasLog = values.log !== undefined || values.checkpoint.length > 0
  if (others.length > 0 || (place === undefined && (!hasLog || values.head.length > 0)))
    throw new Error(usage)
  let audit: AuditReport | null = null
  if (place !== undefined) {
    const jwks = values.jwks === undefined ? undefined : ((await readJson(values.jwks)) as KeySet)
    const heads = await readHeads(values.head)
    audit = await verifyAudit(await readJson(place), { jwks, ducklingId: values.duckling, heads })
    print(audit.faults.length === 0, describeAudit(audit, values.head, jwks !== undefined))
  }
  const log = await checkLog(values, audit)
  if (log) print(log.faults.length === 0, describeLog(log, values.quick))
  else if (audit?.isPart === false) process.stdout.write(`${noProof}\n`)
}

try {
  await main()
} catch (error) {
  print(false, error instanceof Error ? error.message : String(error))
}
