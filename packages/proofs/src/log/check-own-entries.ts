/**
 * Compares an audit log with the other entries that the transparency log has of its owner: passkeys, decisions, uses and revocations. Their
 * events name the digest of their entry (`log_digest`).
 */
import type { LogTiles } from './authenticated-tiles'
import { encodeEntry } from './entry'
import type { OwnEntry } from './kept-proof'
import { type LogFault, logFault, namedMax } from './log-fault'
import { hashOfLeaf } from './merkle'

/** An event, as far as it is compared. */
export interface ComparedEvent {
  seq: number
  occurred_at?: unknown
  outcome?: unknown
  targets?: unknown
  metadata?: unknown
}

interface OwnEntries {
  events: readonly ComparedEvent[]
  entries: readonly OwnEntry[]
}

/** After this time, an event must be in the log: it is entered within a minute, and after an outage within ten. */
const maxDelayMilliseconds = 10 * 60 * 1000

/**
 * Returns the entries without an event, the events without an entry, and with `tiles` the entries that the log does not have.
 * `signedAt`: when the checkpoint was signed that the list goes up to.
 */
export async function findOwnEntryFaults(
  { events, entries }: OwnEntries,
  signedAt: Date | null,
  tiles: LogTiles | null,
): Promise<LogFault[]> {
  const logged = events.filter(({ outcome }) => outcome === undefined || outcome === 'success')
  const digests = new Set(logged.flatMap((event) => digestOf(event) ?? []))
  const targets = new Set(logged.flatMap(targetsOf))
  const faults: LogFault[] = []
  for (const entry of entries) {
    const { index, kind, digest } = entry
    if (!digests.has(digest) && !isKnown(entry, targets))
      faults.push(
        logFault(
          'entry',
          `Entry ${index} of the log (${kind}) is about this account, but no event of the audit log names it: the event was removed, or it was never recorded.`,
        ),
      )
    else if (tiles && !(await tiles.hasLeaf(index, hashOfLeaf(encodeEntry(kind, digest)))))
      faults.push(logFault('entry', `The log has something else at entry ${index} than the export says.`))
  }
  const listed = new Set(entries.map(({ digest }) => digest))
  // A file that hides when its checkpoint was signed gets no longer time.
  const limit = (signedAt ?? new Date()).getTime() - maxDelayMilliseconds
  for (const event of logged) {
    const digest = digestOf(event)
    if (digest !== null && !listed.has(digest) && Date.parse(String(event.occurred_at)) < limit)
      faults.push(
        logFault(
          'entry',
          `Event ${event.seq} names an entry of the log that the service does not list: the event was made up, or the service hides the entry.`,
        ),
      )
  }
  if (faults.length <= namedMax) return faults
  const more = `${faults.length - namedMax} more entries of the log contradict the audit log.`
  return [...faults.slice(0, namedMax), logFault('entry', more)]
}

/**
 * Passkeys from before the log have entries that their events do not name. When an account ends, one event stands for all revocations.
 */
function isKnown({ kind, passkey_id: passkeyId }: OwnEntry, targets: Set<string>): boolean {
  return kind === 'revoked' || (kind === 'passkey_enrolled' && passkeyId !== null && targets.has(passkeyId))
}

/**
 * Returns a fault when a whole audit log has events of the kinds that came together with this list, but comes without the list: without it, a
 * comparison with the log would not find what the service hides.
 */
export function findHiddenEntries(events: readonly ComparedEvent[]): LogFault | null {
  const named = events.find(
    (event) => digestOf(event) !== null && targetsOf(event).some((id) => /^(PECK|CERT)-/.test(id)),
  )
  if (named === undefined) return null
  return logFault(
    'entry',
    `Event ${named.seq} names an entry of the log, but the export does not list these entries (audit.log.own_entries). Export your account again. When the list is still missing, the service hides entries from you.`,
  )
}

function digestOf({ metadata }: ComparedEvent): string | null {
  const digest = (metadata as { log_digest?: unknown } | null | undefined)?.log_digest
  return typeof digest === 'string' ? digest : null
}

const targetsOf = ({ targets }: ComparedEvent): string[] =>
  Array.isArray(targets) ? targets.flatMap((target: { id?: unknown } | null) => String(target?.id ?? '')) : []
