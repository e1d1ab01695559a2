/**
 * The offline check of an audit log (contract D 2): whoever holds an export of their account, or a page of their log, finds
 * out without us whether an event was changed, removed or put elsewhere, and whether the end is the one we signed.
 */
import { createLocalJWKSet, type JWTPayload, jwtVerify } from 'jose'
import { z } from 'zod'
import { type ChainEvent, chainEvent, type Fault, findChainFaults } from './chain'
import { hashEvent } from './hash'

const Keys = z.looseObject({ keys: z.array(z.looseObject({ kty: z.string() })) })
export type Keys = z.infer<typeof Keys>

/** `GET /beak/account/export`, or a page of `GET /beak/audit`. */
const AuditFile = z.union([
  z.object({
    audit: z.object({ events: z.array(z.unknown()), head: z.string(), jwks: Keys.optional() }),
  }),
  z.object({ items: z.array(z.unknown()) }),
])

const HeadClaims = z.object({
  iss: z.string(),
  sub: z.string(),
  seq: z.int(),
  hash: z.string(),
  iat: z.number(),
})

/** A head whose signature is good. */
export interface SignedHead extends z.infer<typeof HeadClaims> {
  kid: string
}

export interface AuditReport {
  /** Empty when nothing is wrong. */
  faults: Fault[]
  events: number
  ducklingId: string | null
  head: SignedHead | null
}

export interface VerifyOptions {
  /** Keys to trust instead of those that came with the log. */
  jwks?: Keys | undefined
  /** Whose log it is, where the file does not tell. */
  ducklingId?: string | undefined
}

function fileFault(kind: Fault['kind'], message: string): Fault {
  return { kind, seq: null, eventId: null, message }
}

/** Checks what an export or a page of the log holds. Never throws for what the file says; asks nobody. */
export async function verifyAudit(file: unknown, options: VerifyOptions = {}): Promise<AuditReport> {
  const report: AuditReport = { faults: [], events: 0, ducklingId: options.ducklingId ?? null, head: null }
  const parsed = AuditFile.safeParse(file)
  if (!parsed.success) {
    report.faults.push(
      fileFault('malformed', 'The file is neither an account export with its audit log nor a page of one.'),
    )
    return report
  }
  const whole = 'audit' in parsed.data ? parsed.data.audit : null
  const events = readEvents('audit' in parsed.data ? parsed.data.audit.events : parsed.data.items, report)
  if (whole) {
    const opened = await openHead(whole.head, options.jwks ?? whole.jwks)
    if (typeof opened === 'string') report.faults.push(fileFault('head', opened))
    else report.head = opened
  }
  report.ducklingId ??= report.head?.sub ?? (await findOwner(events))
  if (report.ducklingId === null) {
    report.faults.push(
      fileFault(
        'malformed',
        'The file does not tell whose log it is: name the duckling (--duckling DUCK-…).',
      ),
    )
    return report
  }
  report.faults.push(...(await findChainFaults(events, report.ducklingId, whole !== null)))
  if (report.head) report.faults.push(...findHeadFaults(events, report.head, report.ducklingId))
  return report
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

/** The head's claims, or what is wrong with it. */
async function openHead(head: string, jwks: Keys | undefined): Promise<SignedHead | string> {
  if (jwks === undefined)
    return 'The signed head cannot be checked without the keys of the service: name them (--jwks).'
  try {
    const { payload, protectedHeader } = await jwtVerify<JWTPayload>(head, createLocalJWKSet(jwks), {
      algorithms: ['EdDSA'],
      typ: 'audit-head+jwt',
    })
    return { ...HeadClaims.parse(payload), kid: protectedHeader.kid ?? '' }
  } catch {
    return 'The head was not signed by the service: none of its keys made that signature.'
  }
}

function findHeadFaults(events: ChainEvent[], head: SignedHead, ducklingId: string): Fault[] {
  if (head.sub !== ducklingId)
    return [fileFault('head', `The signed head is that of another log, ${head.sub}'s.`)]
  const last = events.reduce<ChainEvent | null>(
    (latest, event) => (latest && latest.seq > event.seq ? latest : event),
    null,
  )
  if (last && last.seq === head.seq && last.hash === head.hash) return []
  const end = last ? { seq: last.seq, eventId: last.event_id } : { seq: null, eventId: null }
  const message =
    !last || last.seq < head.seq
      ? `the chain ends here, but the signed head is event ${head.seq}: the latest events are missing`
      : last.seq > head.seq
        ? `the chain goes on past its signed head, event ${head.seq}`
        : 'it is not the event that the signed head names: it was replaced'
  return [{ kind: 'head', ...end, message }]
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
