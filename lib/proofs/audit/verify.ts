/**
 * The offline check of an audit log (contract D2): whoever holds an export of their account, or a page of their log, finds
 * out without us whether an event was changed, removed or put elsewhere, and whether the end is the one we signed.
 */
import { z } from 'zod'
import { type ChainEvent, chainEvent, type Fault, findChainFaults } from './chain'
import { hashEvent } from './hash'
import {
  findEndFaults,
  findKeptHeadFaults,
  type KeptHead,
  Keys,
  openHead,
  type SignedHead,
} from './signed-head'

/** `GET /beak/account/export`, or a page of `GET /beak/audit`. */
const AuditFile = z.union([
  z.object({
    audit: z.object({
      events: z.array(z.unknown()),
      head: z.string(),
      jwks: Keys.optional(),
      log: z.unknown().optional(),
    }),
  }),
  z.object({ items: z.array(z.unknown()) }),
])

export interface AuditReport {
  /** Empty when nothing is wrong. */
  faults: Fault[]
  /** How many entries the file has, good or not. */
  events: number
  /** Whether the file is a page, which has a part of the log. */
  isPart: boolean
  /** The events of the file. */
  chain: ChainEvent[]
  ducklingId: string | null
  head: SignedHead | null
  /** The proof from the transparency log that came with an export, not checked; null without one. */
  logProof: unknown
}

export interface VerifyOptions {
  /** Keys to trust instead of those that came with the log. */
  jwks?: Keys | undefined
  /** Whose log it is, where the file does not tell. */
  ducklingId?: string | undefined
  /** Heads that were kept earlier: the log must hold the event that each of them names. */
  heads?: KeptHead[] | undefined
}

function fileFault(kind: Fault['kind'], message: string): Fault {
  return { kind, seq: null, eventId: null, message }
}

/** Checks what an export or a page of the log holds. Never throws for what the file says; asks nobody. */
export async function verifyAudit(file: unknown, options: VerifyOptions = {}): Promise<AuditReport> {
  const report: AuditReport = {
    faults: [],
    events: 0,
    isPart: false,
    chain: [],
    ducklingId: options.ducklingId ?? null,
    head: null,
    logProof: null,
  }
  const { success, data } = AuditFile.safeParse(file)
  if (!success)
    return refuse(report, 'The file is neither an account export with its audit log nor a page of one.')
  const whole = 'audit' in data ? data.audit : null
  report.isPart = whole === null
  report.chain = readEvents('audit' in data ? data.audit.events : data.items, report)
  report.logProof = whole?.log ?? null
  const jwks = options.jwks ?? whole?.jwks
  if (whole) await readHead(whole.head, jwks, report)
  const ducklingId = report.ducklingId ?? report.head?.sub ?? (await findOwner(report.chain))
  if (ducklingId === null)
    return refuse(report, 'The file does not tell whose log it is: name the duckling (--duckling DUCK-…).')
  report.ducklingId = ducklingId
  report.faults.push(...(await findChainFaults(report.chain, ducklingId, whole !== null)))
  if (report.head) report.faults.push(...findEndFaults(report.chain, report.head, ducklingId))
  for (const kept of options.heads ?? [])
    report.faults.push(...(await findKeptHeadFaults(kept, { ...report, ducklingId }, jwks)))
  return report
}

function refuse(report: AuditReport, message: string): AuditReport {
  report.faults.push(fileFault('malformed', message))
  return report
}

async function readHead(head: string, jwks: Keys | undefined, report: AuditReport): Promise<void> {
  const opened = await openHead(head, jwks)
  if (typeof opened === 'string') report.faults.push(fileFault('head', opened))
  else report.head = opened
}

function readEvents(items: unknown[], report: AuditReport): ChainEvent[] {
  report.events = items.length
  return items.flatMap((item, index) => {
    const parsed = chainEvent.safeParse(item)
    if (parsed.success) return [parsed.data]
    report.faults.push(fileFault('malformed', `Entry ${index + 1} of the file is not an audit event.`))
    return []
  })
}

/**
 * Returns whose log it is. Events of older exports do not say, but their hashes cover the owner: of the ducklings that the events
 * mention, only the owner makes a hash match.
 */
async function findOwner(events: ChainEvent[]): Promise<string | null> {
  const told = events.find(({ duckling_id }) => duckling_id !== undefined)?.duckling_id
  if (told !== undefined) return told
  const named = new Set(JSON.stringify(events).match(/\bDUCK-[0-9A-Z]{16,64}\b/g))
  for (const id of named) {
    for (const event of events) if ((await hashEvent(event, id)) === event.hash) return id
  }
  return null
}
