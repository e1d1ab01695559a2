/**
 * Compares an audit log with every entry that the transparency log has of it. An entry cannot be removed, so a rewritten chain
 * contradicts its older entries, even when its new end has been logged since.
 */
import type { LogTiles } from './authenticated-tiles'
import type { OwnLog } from './check-entry'
import { chainHeadDigest, encodeEntry } from './entry'
import type { LoggedHead } from './kept-proof'
import { type LogFault, logFault, namedMax } from './log-fault'
import { hashOfLeaf } from './merkle'

/**
 * An event is logged within a minute, and after an outage within this time. The first checkpoint of a log covers all events before.
 */
const maxDelayMilliseconds = 10 * 60 * 1000

/** Compares the listed entries with the events and, when `tiles` are given, with the log. Returns the faults. */
export async function findHeadFaults(own: OwnLog, tiles: LogTiles | null): Promise<LogFault[]> {
  const hashes = new Map(own.events.map(({ seq, hash }) => [seq, hash]))
  const faults: LogFault[] = []
  let before: LoggedHead | null = null
  for (const head of own.heads ?? []) {
    if (before && (head.index <= before.index || head.seq <= before.seq))
      faults.push(
        logFault(
          'rewritten',
          `Entry ${head.index} of the log stands for event ${head.seq}, although entry ${before.index} stands for event ${before.seq}: the audit log was rewritten between them.`,
        ),
      )
    before = head
    const fault = findEventFault(own.ducklingId, head, hashes.get(head.seq))
    if (fault) faults.push(fault)
    else if (tiles && !(await tiles.hasLeaf(head.index, leafHashOf(head))))
      faults.push(
        logFault('entry', `The log has something else at entry ${head.index} than the export says.`),
      )
  }
  return shorten(faults)
}

const leafHashOf = ({ digest }: LoggedHead) => hashOfLeaf(encodeEntry('chain_head', digest))

function findEventFault(
  ducklingId: string,
  { index, seq, digest }: LoggedHead,
  hash: string | undefined,
): LogFault | null {
  if (hash === undefined)
    return logFault(
      'truncated',
      `Entry ${index} of the log stands for event ${seq}, but the file does not hold this event: it was removed.`,
    )
  if (digest === chainHeadDigest({ ducklingId, seq, hash })) return null
  return logFault(
    'rewritten',
    `Event ${seq} had another hash when it was entered in the transparency log (entry ${index}): the audit log was rewritten after that.`,
  )
}

function shorten(faults: LogFault[]): LogFault[] {
  if (faults.length <= namedMax) return faults
  const more = `${faults.length - namedMax} more entries of the log contradict the audit log.`
  return [...faults.slice(0, namedMax), logFault('rewritten', more)]
}

/** How far the entries below a kept checkpoint cover an audit log. */
export interface Coverage {
  /** What messages call the checkpoint. */
  name: string
  size: number
  /** The newest event that the entries cover; null when none is about this audit log. */
  seq: number | null
}

/** Returns how far the entries below a kept checkpoint cover the audit log; null when the export does not list its entries. */
export function coverageOf(name: string, size: number, own: OwnLog | null): Coverage | null {
  if (!own?.heads) return null
  return { name, size, seq: own.heads.filter(({ index }) => index < size).at(-1)?.seq ?? null }
}

/** Returns a fault when an event from long before the checkpoint is not covered by its entries. */
export function findUncovered({ name, size, seq }: Coverage, signedAt: Date, own: OwnLog): LogFault | null {
  const limit = signedAt.getTime() - maxDelayMilliseconds
  const happened = (event: OwnLog['events'][number]) => Date.parse(String(event.occurred_at))
  const missed = own.events.find((event) => event.seq > (seq ?? 0) && happened(event) < limit)
  if (missed === undefined) return null
  return logFault(
    'rewritten',
    `Event ${missed.seq} is older than ${name}, but none of its ${size} entries covers the event: the audit log was rewritten after that, or the service hides entries from you.`,
  )
}

/** Returns a fault when a whole audit log comes without its log entries: without them, a comparison with the log would check nothing. */
export function findHiddenHeads({ heads, isPart }: OwnLog): LogFault | null {
  if (heads || isPart === true) return null
  return logFault(
    'entry',
    'The export does not list its entries of the log (audit.log.heads), so its events cannot be compared with the log. Export your account again. When the list is still missing, the service hides entries from you.',
  )
}
