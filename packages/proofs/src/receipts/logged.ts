/**
 * The check of what the transparency log has about a receipt: the decision, the newest use, and the revocation. With witnesses, it is an upper
 * bound for their times. See docs/receipts/format.md, "The log".
 */
import { bytesOfText } from '../bytes'
import { decisionDigest, type EntryKind, entryText, revocationDigest, usageDigest } from '../log/entry'
import { hashOfLeaf } from '../log/merkle'
import type { GoodCosignature } from '../log/open-checkpoint'
import { isIncluded } from '../log/verify-proof'
import { findCosignatures, type LogTrust, openLogNote, stateOf, toCosignature } from './enrolment'
import type { LoggedEntry, OutcomeClaims, OutcomeFile } from './outcome-schema'
import { Refusal } from './refusal'

/** What the log has about a decision, a use or a revocation. */
export interface LoggedFacts {
  /**
   * - `proven`: enough trusted witnesses cosigned a state of the log that has it, not more than ten minutes before or after its stated time.
   * - `witness_not_trusted`: the log has it, but you gave no key of a witness. So only the service says when.
   * - `not_witnessed`: the log has it, but too few of the trusted witnesses had cosigned that state at its stated time.
   * - `log_not_trusted`: the log's keys came only from the receipt. They prove nothing.
   * - `not_logged`: the receipt does not show it in the log. The log gets it within a minute.
   */
  state: 'proven' | 'witness_not_trusted' | 'not_witnessed' | 'log_not_trusted' | 'not_logged'
  /** The entry in the log. */
  index: number | null
  /** The trusted witnesses that cosigned that state of the log. */
  cosignatures: GoodCosignature[]
}

/** What the log has about a receipt. Null: the receipt names no such event. */
export interface LoggedOutcome {
  decided: LoggedFacts | null
  used: LoggedFacts | null
  revoked: LoggedFacts | null
}

/** A witness cosigns within a minute, and clocks differ. */
const toleranceSeconds = 600

const notLogged: LoggedFacts = { state: 'not_logged', index: null, cosignatures: [] }

/** Checks what the log has about a receipt. Throws `Refusal`. */
export async function checkLogged(
  receipt: OutcomeFile,
  claims: OutcomeClaims,
  trust: LogTrust,
): Promise<LoggedOutcome> {
  const logged = receipt.version === 3 ? receipt.logged : null
  const events = loggedEvents(claims)
  const decided = logged?.decided ?? null
  const entries = { decided, used: logged?.used ?? null, revoked: logged?.revoked ?? null }
  const check = async (kind: keyof LoggedOutcome): Promise<LoggedFacts | null> => {
    const [event, entry] = [events[kind], entries[kind]]
    if (entry === null) return event === null ? null : notLogged
    if (event === null)
      throw new Refusal('logged', 'The receipt shows an entry of the log for something that did not happen.')
    return checkEntry(entry, { ...event, kind, vkeys: logged?.vkeys ?? [] }, trust)
  }
  return { decided: await check('decided'), used: await check('used'), revoked: await check('revoked') }
}

interface LoggedEvent {
  digest: string
  at: string
}

/** What a receipt says about the decision, the newest use and the revocation. */
export type LoggedClaims = Pick<
  OutcomeClaims,
  'statement' | 'outcome' | 'decided_at' | 'ended_at' | 'uses' | 'last_used_at'
>

/** Returns what the log must have about the receipt: computed, not read. */
export function loggedEvents(claims: LoggedClaims): Record<keyof LoggedOutcome, LoggedEvent | null> {
  const { statement, outcome, decided_at: decidedAt, ended_at: endedAt, uses, last_used_at: usedAt } = claims
  return {
    decided: decidedAt === null ? null : { digest: decisionDigest({ statement, decidedAt }), at: decidedAt },
    used:
      uses === 0 || usedAt === null ? null : { digest: usageDigest(statement, { uses, usedAt }), at: usedAt },
    revoked:
      outcome !== 'revoked' || endedAt === null
        ? null
        : { digest: revocationDigest(statement, endedAt), at: endedAt },
  }
}

async function checkEntry(
  { index, inclusion, checkpoint }: LoggedEntry,
  { digest, at, kind, vkeys }: LoggedEvent & { kind: EntryKind; vkeys: readonly string[] },
  trust: LogTrust,
): Promise<LoggedFacts> {
  const opened = await openLogNote(checkpoint, vkeys, trust)
  if ('kind' in opened) throw new Refusal('logged', opened.message, opened.fork)
  const leaf = hashOfLeaf(bytesOfText(entryText(kind, digest)))
  if (!isIncluded(leaf, index, opened, inclusion))
    throw new Refusal('logged', 'The transparency log does not have what the receipt shows as its entry.')
  const cosigned = await findCosignatures(opened.note, trust)
  const state = stateOf(cosigned.filter(isNotBefore(at)), at, trust)
  return { state: state as LoggedFacts['state'], index, cosignatures: cosigned.map(toCosignature) }
}

/** A state of the log from before the stated time shows that the time is wrong. */
const isNotBefore =
  (at: string) =>
  ({ time }: { time: number }) =>
    time >= Date.parse(at) / 1000 - toleranceSeconds
