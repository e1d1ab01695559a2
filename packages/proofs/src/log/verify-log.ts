/**
 * Checks a transparency log from its files, and compares it with files that were kept earlier. Trusts only signatures, and computes
 * inclusion and consistency from the tiles.
 */

import { bytesOfBase64 } from '../bytes'
import { type LogTiles, openTiles, type ReadLogFile } from './authenticated-tiles'
import { checkEntry, type OwnLog } from './check-entry'
import { type Coverage, coverageOf, findHeadFaults, findHiddenHeads, findUncovered } from './check-heads'
import { findHiddenEntries, findOwnEntryFaults } from './check-own-entries'
import type { CheckpointStore } from './checkpoint-store'
import { compareWithLog, findReplacedEntries, type OpenedProof } from './compare-log'
import type { KeptProof } from './kept-proof'
import { BrokenLog, type LogFault, logFault } from './log-fault'
import {
  checkCosignatures,
  type GoodCosignature,
  openCheckpoint,
  type SignedCheckpoint,
} from './open-checkpoint'
import type { LogQuorum } from './quorum'
import { remember, toRemember } from './remember'
import { parseVerifierKey, type VerifierKey } from './verifier-key'

const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes)

export interface LogCheck {
  /** The files that were kept earlier. */
  proofs: readonly KeptProof[]
  /** Reads the current log. When null, only the kept files are checked. */
  readFile: ReadLogFile | null
  /** Verifier keys of the log to trust. By default the keys that came with the proofs, or else the keys that the log names. */
  vkeys?: readonly string[]
  /** The expected origin. It is the name of the log's key, and can differ from the address of the log. */
  origin?: string | undefined
  /** The events to compare the proofs with. */
  own?: OwnLog | null
  /** Verifier keys of witnesses, and how many of them or which ones must have cosigned the newest checkpoint. */
  witnesses?: readonly VerifierKey[]
  quorum?: number | LogQuorum
  /** Compares every checkpoint with those remembered, and remembers the newest. Only with `vkeys`. */
  checkpoints?: CheckpointStore | undefined
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
    else if (check.own) report.faults.push(...(await findOwnFaults(check.own, null)))
  } catch (error) {
    if (!(error instanceof BrokenLog)) throw error
    report.faults.push(error.fault)
  }
  return report
}

/** Compares an audit log with everything that the log has of its owner. */
async function findOwnFaults(own: OwnLog, tiles: LogTiles | null): Promise<LogFault[]> {
  const { events, entries, signedAt = null, isPart } = own
  const heads = await findHeadFaults(own, tiles)
  if (isPart === true) return heads
  const hidden = entries ? null : findHiddenEntries(events)
  if (hidden) return [...heads, hidden]
  if (!entries) return heads
  return [...heads, ...(await findOwnEntryFaults({ events, entries }, signedAt, tiles))]
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
  { own = null, origin, checkpoints }: LogCheck,
  report: LogReport,
): Promise<OpenedProof[]> {
  const checkpoint = await openCheckpoint(proof.checkpoint, report.keys, proof.name)
  if ('kind' in checkpoint) {
    report.faults.push(checkpoint)
    return []
  }
  const { name, signedAt } = proof
  report.kept.push({ name, size: checkpoint.size })
  if (checkpoints && report.keySource === 'given') {
    const seen = toRemember(checkpoint, proof.checkpoint, false)
    const contradiction = await remember(checkpoints, seen, name)
    if (contradiction) report.faults.push({ kind: 'rewritten', ...contradiction })
  }
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
  if (check.checkpoints && report.keySource === 'given')
    report.faults.push(...(await compareWithRemembered(check.checkpoints, newest, textOf(text), tiles)))
  if (check.own) {
    const hidden = findHiddenHeads(check.own)
    if (hidden) report.faults.push(hidden)
    report.faults.push(...(await findOwnFaults(check.own, tiles)))
  }
  if (!check.isQuick) report.faults.push(...(await findReplacedEntries(newest.size, tiles, check.onProgress)))
}

/**
 * Returns the remembered checkpoints that the log does not continue, as faults. When it continues all of them, its newest checkpoint is
 * remembered as proven.
 */
async function compareWithRemembered(
  store: CheckpointStore,
  newest: SignedCheckpoint,
  note: string,
  tiles: LogTiles,
): Promise<LogFault[]> {
  const faults: LogFault[] = []
  for (const { origin, size, root, note: remembered } of await store.get(newest.origin)) {
    const checkpoint = { origin, size, root: bytesOfBase64(root) ?? new Uint8Array() }
    const kept = { name: 'The checkpoint that you remembered', checkpoint, entries: [] }
    const found = await compareWithLog(kept, newest, tiles)
    const fork = { origin, remembered, found: note }
    for (const fault of found) {
      // A shorter log can be an old copy, which is no second history.
      const isFork = fault.kind === 'rewritten'
      if (isFork) await store.keepFork(fork)
      faults.push(isFork ? { ...fault, fork } : fault)
    }
  }
  if (faults.length > 0) return faults
  const contradiction = await remember(store, toRemember(newest, note, true), "The log's newest checkpoint")
  return contradiction === null ? [] : [{ kind: 'rewritten', ...contradiction }]
}
