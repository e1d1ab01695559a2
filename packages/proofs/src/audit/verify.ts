/**
 * The offline check of an audit log (contract D2). With an export of an account, or a page of its log, anybody can check without the
 * service whether an event was changed, removed or moved, and whether the end is the head that the service signed.
 */
import * as z from 'zod'
import { KeySet, type KeySource } from '../keys'
import type { TestOptions } from '../test-mark'
import { type ChainEvent, chainEvent, type Fault, findChainFaults } from './chain'
import { hashEvent } from './hash'
import {
  findEndFaults,
  findKeptHeadFaults,
  findRewriting,
  type KeptHead,
  openHead,
  type SignedHead,
} from './signed-head'

/** `GET /beak/account/export`, or a page of `GET /beak/audit`. */
const AuditFile = z.union([
  z.object({
    audit: z.object({
      events: z.array(z.unknown()),
      head: z.string(),
      jwks: KeySet.optional(),
      log: z.unknown().optional(),
    }),
  }),
  z.object({ items: z.array(z.unknown()) }),
])

export interface AuditReport {
  faults: Fault[]
  /** Number of entries in the file, also of invalid ones. */
  events: number
  /** True for a page, which contains only a part of the log. */
  isPart: boolean
  /** The valid events of the file. */
  chain: ChainEvent[]
  ducklingId: string | null
  head: SignedHead | null
  /** The proof from the transparency log in an export, not verified here. Null when there is none. */
  logProof: unknown
}

export interface VerifyOptions extends TestOptions {
  /** Keys to trust instead of the keys in the file. */
  jwks?: KeySet | KeySource | undefined
  /** The owner of the log, when the file does not contain it. */
  ducklingId?: string | undefined
  /** Heads that were saved earlier. The log must contain the event of each head. */
  heads?: KeptHead[] | undefined
  /** Texts of exports of the same account that were saved earlier. The log must contain their last event, and the event of their head. */
  exports?: KeptHead[] | undefined
}

function fileFault(kind: Fault['kind'], message: string): Fault {
  return { kind, seq: null, eventId: null, message }
}

/** Checks an export or a page of the log. Never throws because of the content of the file. Makes no requests. */
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
    return refuse(
      report,
      'The file is neither an account export with its audit log nor a page of an audit log.',
    )
  const whole = 'audit' in data ? data.audit : null
  report.isPart = whole === null
  report.chain = readEvents('audit' in data ? data.audit.events : data.items, report)
  report.logProof = whole?.log ?? null
  const jwks = options.jwks ?? whole?.jwks
  if (whole) await readHead(whole.head, { ...options, jwks }, report)
  const ducklingId = report.ducklingId ?? report.head?.sub ?? (await findOwner(report.chain))
  if (ducklingId === null)
    return refuse(report, 'The file does not say whose log it is. Name the duckling with --duckling DUCK-….')
  report.ducklingId = ducklingId
  report.faults.push(...(await findChainFaults(report.chain, ducklingId, whole !== null)))
  if (report.head) report.faults.push(...findEndFaults(report.chain, report.head, ducklingId))
  for (const kept of options.heads ?? [])
    report.faults.push(...(await findKeptHeadFaults(kept, { ...report, ducklingId }, jwks, options)))
  for (const kept of options.exports ?? [])
    report.faults.push(
      ...(await findOlderExportFaults(kept, { ...report, ducklingId }, { ...options, jwks })),
    )
  return report
}

/**
 * Compares the log with an export that was saved earlier: its last event must still be there, and so must the event of its signed head. The
 * owner trusts the own file, so the key of its head may be gone. Files that are no export of this account have no fault.
 */
async function findOlderExportFaults(
  { name, text }: KeptHead,
  log: { chain: ChainEvent[]; ducklingId: string; isPart: boolean },
  options: VerifyOptions,
): Promise<Fault[]> {
  const { data } = AuditFile.safeParse(jsonOf(text))
  if (data === undefined || !('audit' in data)) return []
  const opened = await openHead(data.audit.head, options.jwks, options)
  const head = typeof opened === 'string' ? null : opened
  const events = data.audit.events.flatMap((item) => chainEvent.safeParse(item).data ?? [])
  const owner = head?.sub ?? (await findOwner(events))
  if (owner !== log.ducklingId) return []
  const last = events.reduce<ChainEvent | null>(
    (most, one) => (most && most.seq > one.seq ? most : one),
    null,
  )
  const faults = [last, head].flatMap((known) =>
    known === null ? [] : findRewriting(log.chain, known, { source: name, isPart: log.isPart }),
  )
  return faults.slice(0, 1)
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function refuse(report: AuditReport, message: string): AuditReport {
  report.faults.push(fileFault('malformed', message))
  return report
}

async function readHead(head: string, options: VerifyOptions, report: AuditReport): Promise<void> {
  const opened = await openHead(head, options.jwks, options)
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
 * Returns the owner of the log. Events of older exports do not contain the owner, but their hashes cover it. So the hash of an event
 * matches only with the right one of the ducklings that the events mention.
 */
async function findOwner(events: ChainEvent[]): Promise<string | null> {
  const stated = events.find(({ duckling_id }) => duckling_id !== undefined)?.duckling_id
  if (stated !== undefined) return stated
  const named = new Set(JSON.stringify(events).match(/\bDUCK-[0-9A-Z]{16,64}\b/g))
  for (const id of named) {
    for (const event of events) if ((await hashEvent(event, id)) === event.hash) return id
  }
  return null
}
