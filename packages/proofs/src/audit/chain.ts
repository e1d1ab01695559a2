/** Finds faults in a hash chain of audit events. Needs only the events. */
import * as z from 'zod'
import { chainStart } from './chain-start'
import { isIntact } from './hash'

/** The members of an event that form the chain. Its hash covers all other members too. */
export interface ChainEvent {
  event_id: string
  /** The owner of the log. Missing in older exports. */
  duckling_id?: string | undefined
  seq: number
  prev_hash: string
  hash: string
}

export const chainEvent: z.ZodType<ChainEvent> = z.looseObject({
  event_id: z.string(),
  duckling_id: z.string().optional(),
  seq: z.int().min(1),
  prev_hash: z.string(),
  hash: z.string(),
})

export interface Fault {
  kind:
    | 'changed'
    | 'foreign'
    | 'missing'
    | 'repeated'
    | 'reordered'
    | 'unlinked'
    | 'malformed'
    | 'head'
    | 'log'
  /** The event with the fault. Null when the fault is not in one event. */
  seq: number | null
  eventId: string | null
  message: string
}

function faultAt(event: ChainEvent, kind: Fault['kind'], message: string): Fault {
  return { kind, seq: event.seq, eventId: event.event_id, message }
}

function range(first: number, last: number): string {
  return first === last ? `event ${first} is missing` : `events ${first} to ${last} are missing`
}

/**
 * Returns the faults of the chain of a duckling. Accepts events oldest first or newest first. A `whole` chain must begin with the
 * first event. A part can begin anywhere.
 */
export async function findChainFaults(
  events: ChainEvent[],
  ducklingId: string,
  whole: boolean,
): Promise<Fault[]> {
  const oldestFirst = isNewestFirst(events) ? [...events].reverse() : events
  const bySeq = new Map<number, ChainEvent>()
  for (const event of oldestFirst) if (!bySeq.has(event.seq)) bySeq.set(event.seq, event)
  const sorted = [...bySeq.values()].sort((left, right) => left.seq - right.seq)
  const intact = await Promise.all(sorted.map((event) => isIntact(event, ducklingId)))
  const unchanged = new Set(sorted.filter((_, index) => intact[index]))
  return [
    ...findForeignEvents(sorted, ducklingId),
    ...findOrderFaults(oldestFirst),
    ...findLinkFaults(sorted, unchanged, whole),
  ]
}

function findForeignEvents(events: ChainEvent[], ducklingId: string): Fault[] {
  return events
    .filter(({ duckling_id: owner = ducklingId }) => owner !== ducklingId)
    .map((event) => faultAt(event, 'foreign', `it belongs to another log, of ${event.duckling_id}`))
}

function isNewestFirst(events: ChainEvent[]): boolean {
  let falling = 0
  for (const [index, event] of events.entries()) {
    const before = events[index - 1]
    if (before) falling += before.seq > event.seq ? 1 : -1
  }
  return falling > 0
}

function findOrderFaults(oldestFirst: ChainEvent[]): Fault[] {
  const faults: Fault[] = []
  const seen = new Set<number>()
  let highest = 0
  for (const event of oldestFirst) {
    if (seen.has(event.seq)) faults.push(faultAt(event, 'repeated', 'it occurs more than once'))
    else if (event.seq < highest)
      faults.push(faultAt(event, 'reordered', `it follows event ${highest}: the events were reordered`))
    seen.add(event.seq)
    highest = Math.max(highest, event.seq)
  }
  return faults
}

function findLinkFaults(sorted: ChainEvent[], unchanged: Set<ChainEvent>, whole: boolean): Fault[] {
  const faults: Fault[] = []
  let previous: ChainEvent | null = null
  let previousIsUnchanged = true
  for (const event of sorted) {
    const isUnchanged = unchanged.has(event)
    const seqBefore: number = previous?.seq ?? (whole ? 0 : event.seq - 1)
    const hashBefore: string | null = previous?.hash ?? (event.seq === 1 ? chainStart : null)
    if (event.seq > seqBefore + 1)
      faults.push(faultAt(event, 'missing', `${range(seqBefore + 1, event.seq - 1)} before it`))
    else if (isUnchanged && previousIsUnchanged && hashBefore !== null && event.prev_hash !== hashBefore)
      faults.push(
        faultAt(
          event,
          'unlinked',
          'its prev_hash is not the hash of the event before it: one of the two was replaced',
        ),
      )
    if (!isUnchanged)
      faults.push(faultAt(event, 'changed', 'its content does not match its hash: it was changed'))
    previous = event
    previousIsUnchanged = isUnchanged
  }
  return faults
}
