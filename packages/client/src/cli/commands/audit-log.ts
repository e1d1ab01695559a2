/** Checks the transparency log for `beak audit verify`: over HTTP, or from a folder with a copy. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { AuditReport } from '@beak/proofs/audit/verify'
import type { ReadLogFile } from '@beak/proofs/log/authenticated-tiles'
import type { OwnLog } from '@beak/proofs/log/check-entry'
import type { KeptProof } from '@beak/proofs/log/kept-proof'
import type { LogReport } from '@beak/proofs/log/verify-log'
import { Exit, exitCodes, usageFault } from '../exit'
import { readText } from '../files'
import type { Output } from '../output'
import { type LogKeyOptions, pinned, readLogPolicy, readRemembered } from '../trust'

export interface LogOptions extends LogKeyOptions {
  offline: boolean
  log: string | undefined
  checkpoint: string[]
  quick: boolean
}

/** Whether the log itself is to be read, and not only the proof in the file. */
export const isLogWanted = ({ log, vkey, checkpoint, witness, policy }: LogOptions) =>
  log !== undefined || policy !== undefined || [vkey, checkpoint, witness].some(({ length }) => length > 0)

interface LogInput {
  audit: AuditReport | null
  options: LogOptions
  /** The service that the caller named. Null: the service that signed the file. */
  issuer: string | null
  output: Output
}

/** Checks the log when an option asks for it, otherwise only the proof in the export. Returns null when there is neither. */
export async function checkLog({ audit, options, issuer, output }: LogInput): Promise<LogReport | null> {
  const proofs = await readProofs(options.checkpoint, audit)
  const isWanted = isLogWanted(options)
  const isInvalid = audit !== null && audit.faults.length > 0
  const { vkeys, witnesses, quorum } = await readKeys(options)
  const checkpoints = await readRemembered(options)
  const service = audit?.head?.iss ?? (options.log === undefined || audit !== null ? issuer : null)
  const place = isWanted ? placeOf(options, service, isInvalid) : null
  if (place === null && (isWanted || proofs.length === 0)) return null
  const { verifyLog } = await import('@beak/proofs/log/verify-log')
  try {
    const own = await ownOf(audit)
    const report = await verifyLog({
      proofs,
      readFile: place === null ? null : await logReader(place),
      vkeys,
      origin: await originIn(audit),
      own,
      witnesses,
      quorum,
      checkpoints,
      isQuick: options.quick,
      onProgress: (checked, of) => reportProgress(output, checked, of),
    })
    return place === null && own !== null ? withHiddenHeads(report, own) : report
  } catch (error) {
    if (error instanceof Exit) throw error
    // The faults of the file matter more than a log that cannot be read.
    if (isInvalid) return null
    throw new Exit(exitCodes.unreachable, `The transparency log cannot be read: ${(error as Error).message}`)
  }
}

/** Adds a fault when an export does not list its entries. `verifyLog` finds this itself when it reads the log. */
async function withHiddenHeads(report: LogReport, own: OwnLog): Promise<LogReport> {
  const { findHiddenHeads } = await import('@beak/proofs/log/check-heads')
  const hidden = findHiddenHeads(own)
  return hidden ? { ...report, faults: [...report.faults, hidden] } : report
}

/**
 * Returns where the log is, or null when a file with faults does not say it. An unchecked file must not choose the address: with
 * `--offline`, the caller names the log.
 */
function placeOf({ log, offline }: LogOptions, service: string | null, isInvalid: boolean): string | null {
  if (log !== undefined) return log
  if (service !== null && !offline) return `${service}/.well-known/tlog`
  if (isInvalid && !offline) return null
  throw usageFault('Name the log: --log <address or folder>.')
}

async function readProofs(places: string[], audit: AuditReport | null): Promise<KeptProof[]> {
  const { presentProof, readKeptProof } = await import('@beak/proofs/log/kept-proof')
  const proofs = await Promise.all(
    places.map(async (name) => {
      const proof = readKeptProof(name, await readText(name))
      if (!proof) throw usageFault(`${name} is neither a checkpoint nor a proof (GET /beak/audit/proof).`)
      return proof
    }),
  )
  const own = presentProof('The export', audit?.logProof ?? null)
  return own ? [...proofs, own] : proofs
}

/** Returns the keys of the log and of witnesses, from a log policy or from the options. */
async function readKeys(options: LogOptions) {
  const policy = await readLogPolicy(options)
  const vkeys = policy?.logs.map(({ vkey }) => vkey) ?? options.vkey
  const witnesses = policy?.witnesses.map(({ vkey }) => vkey) ?? options.witness
  const [keys] = await Promise.all([pinned(witnesses, 'cosignature'), pinned(vkeys, 'ed25519')])
  // With `quorum none`, cosignatures are printed and none is required.
  return { vkeys, witnesses: keys, quorum: policy ? (policy.quorum ?? 0) : readQuorum(options) }
}

/** Returns the log that the export names. Its name can differ from the address of the service. */
async function originIn(audit: AuditReport | null): Promise<string | undefined> {
  const { presentProof } = await import('@beak/proofs/log/kept-proof')
  return presentProof('', audit?.logProof ?? null)?.checkpoint.split('\n')[0]
}

function readQuorum({ quorum, witness }: LogOptions): number {
  if (quorum === undefined) return witness.length
  if (witness.length === 0) throw usageFault('--quorum needs --witness.')
  const number = Number(quorum)
  if (Number.isInteger(number) && number >= 1 && number <= witness.length) return number
  throw usageFault(`--quorum must be a number from 1 to ${witness.length}, the number of named witnesses.`)
}

async function ownOf(audit: AuditReport | null): Promise<OwnLog | null> {
  if (audit === null || audit.ducklingId === null) return null
  const { presentProof } = await import('@beak/proofs/log/kept-proof')
  const proof = presentProof('', audit.logProof)
  const { ducklingId, chain: events, isPart } = audit
  if (proof === null) return { ducklingId, events, isPart }
  const { heads, ownEntries: entries, signedAt } = proof
  return { ducklingId, events, isPart, heads, entries, signedAt }
}

/** Returns a reader of the files of a log at an address or in a folder. It returns null for a missing file. */
async function logReader(place: string): Promise<ReadLogFile> {
  if (!/^https?:\/\//.test(place)) return (path) => readIfThere(join(place, path))
  const { remoteLog } = await import('@beak/proofs/log/remote-log')
  return remoteLog(place)
}

async function readIfThere(path: string): Promise<Uint8Array | null> {
  try {
    return await readFile(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw usageFault(`${path} cannot be read: ${(error as Error).message}`)
  }
}

/** Prints a line after each tenth of a long log. */
function reportProgress(output: Output, checked: number, of: number): void {
  const step = Math.ceil(of / 10)
  if (of >= 10_000 && Math.floor(checked / step) > Math.floor((checked - 256) / step))
    output.note(`${checked} of ${of} entries of the log checked`)
}
