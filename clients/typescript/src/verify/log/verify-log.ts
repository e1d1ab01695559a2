/**
 * Checks a transparency log from its files, and compares it with files that were kept earlier. Trusts only signatures, and computes
 * inclusion and consistency from the tiles.
 */

import { openTiles, type ReadLogFile } from './authenticated-tiles'
import { checkEntry, type OwnLog } from './check-entry'
import { type Coverage, coverageOf, findHeadFaults, findHiddenHeads, findUncovered } from './check-heads'
import { compareWithLog, findReplacedEntries, type OpenedProof } from './compare-log'
import type { KeptProof } from './kept-proof'
import { BrokenLog, type LogFault, logFault } from './log-fault'
import {
  checkCosignatures,
  type GoodCosignature,
  openCheckpoint,
  type SignedCheckpoint,
} from './open-checkpoint'
import { parseVerifierKey, type VerifierKey } from './verifier-key'

const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes)

export interface LogCheck {
  /** The files that were kept earlier. */
  proofs: readonly KeptProof[]
  /** Reads the current log. When null, only the kept files are checked. */
  readFile: ReadLogFile | null
  /** Verifier keys of the log to trust. By default the keys that came with the proofs, or else the keys that the log names. */
  vkeys?: readonly string[]
  /** The expected origin: the host of the service and the path, without a scheme. */
  origin?: string | undefined
  /** The events to compare the proofs with. */
  own?: OwnLog | null
  /** Verifier keys of witnesses, and how many of them must have cosigned the newest checkpoint. */
  witnesses?: readonly VerifierKey[]
  quorum?: number
  /** Skips the entries, and the hashes that no proof needs. */
  isQuick?: boolean
  /** Called after each 256 entries. */
  onProgress?: (checked: number, of: number) => void
}

export interface LogReport {
  faults: LogFault[]
  /** Where the keys come from: the caller, the files, or the log itself. */
  keySource: 'given' | 'files' | 'log'
  keys: VerifierKey[]
  newest: SignedCheckpoint | null
  /** The kept checkpoints that one of the keys signed. */
  kept: { name: string; size: number }[]
  /** The entries of the proofs that are in the log. */
  included: { name: string; index: number; seq: number | null }[]
  /** How far each kept checkpoint covers the audit log in `own`. */
  coverage: Coverage[]
  cosignatures: GoodCosignature[]
}

/** Checks the log. Reports every fault of the log and of the files; throws only what `readFile` throws. */
export async function verifyLog(check: LogCheck): Promise<LogReport> {
  const report: LogReport = {
    faults: [],
    ...(await chooseKeys(check)),
    newest: null,
    kept: [],
    included: [],
    coverage: [],
    cosignatures: [],
  }
  try {
    if (report.keys.length === 0)
      throw new BrokenLog(
        logFault('signature', 'There is no key of the log to check its signatures with: name one (--vkey).'),
      )
    const opened: OpenedProof[] = []
    for (const proof of check.proofs) opened.push(...(await openProof(proof, check, report)))
    if (check.readFile) await checkFiles(check, check.readFile, opened, report)
    else if (check.own) report.faults.push(...(await findHeadFaults(check.own, null)))
  } catch (error) {
    if (!(error instanceof BrokenLog)) throw error
    report.faults.push(error.fault)
  }
  return report
}

async function chooseKeys({
  vkeys = [],
  proofs,
  readFile,
}: LogCheck): Promise<Pick<LogReport, 'keys' | 'keySource'>> {
  const kept = proofs.flatMap((proof) => proof.vkeys)
  const parse = (texts: readonly string[]) =>
    [...new Set(texts)].map(parseVerifierKey).filter((key) => key?.type === 'ed25519') as VerifierKey[]
  if (vkeys.length > 0) return { keySource: 'given', keys: parse(vkeys) }
  if (kept.length > 0) return { keySource: 'files', keys: parse(kept) }
  const lines = textOf((await readFile?.('vkeys')) ?? new Uint8Array()).split('\n')
  return { keySource: 'log', keys: parse(lines) }
}

async function openProof(
  proof: KeptProof,
  { own = null, origin }: LogCheck,
  report: LogReport,
): Promise<OpenedProof[]> {
  const checkpoint = await openCheckpoint(proof.checkpoint, report.keys, proof.name)
  if ('kind' in checkpoint) {
    report.faults.push(checkpoint)
    return []
  }
  const { name, signedAt } = proof
  report.kept.push({ name, size: checkpoint.size })
  // The entries of another log say nothing about this one.
  const isOther = origin !== undefined && origin !== checkpoint.origin
  const coverage = isOther ? null : coverageOf(name, checkpoint.size, own)
  if (coverage && own) {
    report.coverage.push(coverage)
    const uncovered = signedAt && findUncovered(coverage, signedAt, own)
    if (uncovered) report.faults.push(uncovered)
  }
  const entries = proof.entries.map((proven) => {
    const { faults, leafHash } = checkEntry(name, proven, checkpoint, own)
    const { index, seq = null } = proven.entry
    report.faults.push(...faults)
    if (faults.length === 0) report.included.push({ name, index, seq })
    return { index, leafHash, seq }
  })
  return [{ name, checkpoint, entries }]
}

async function checkFiles(
  check: LogCheck,
  readFile: ReadLogFile,
  proofs: OpenedProof[],
  report: LogReport,
): Promise<void> {
  const text = await readFile('checkpoint')
  if (text === null) throw new BrokenLog(logFault('tiles', 'The log has no checkpoint.'))
  const newest = await openCheckpoint(textOf(text), report.keys, "The log's newest checkpoint")
  if ('kind' in newest) throw new BrokenLog(newest)
  report.newest = newest
  if (check.origin !== undefined && check.origin !== newest.origin)
    report.faults.push(logFault('origin', `The log calls itself ${newest.origin}, not ${check.origin}.`))
  const witnesses = check.witnesses ?? []
  const { good, faults } = await checkCosignatures(newest.note, witnesses, check.quorum ?? witnesses.length)
  report.cosignatures = good
  report.faults.push(...faults)
  const tiles = await openTiles(newest, readFile)
  for (const proof of proofs) {
    const contradictions = await compareWithLog(proof, newest, tiles)
    report.faults.push(...contradictions)
    if (contradictions.length > 0) report.included = report.included.filter(({ name }) => name !== proof.name)
  }
  if (check.own) {
    const hidden = findHiddenHeads(check.own)
    if (hidden) report.faults.push(hidden)
    report.faults.push(...(await findHeadFaults(check.own, tiles)))
  }
  if (!check.isQuick) report.faults.push(...(await findReplacedEntries(newest.size, tiles, check.onProgress)))
}
