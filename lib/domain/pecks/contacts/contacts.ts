/**
 * Contacts: the agents and people whom the caller has answered or noted something about. Everything but the note and
 * the switch is derived from their requests.
 */
import { z } from 'zod'
import { db, type Tx } from '@/lib/db/client'
import { leftJoinRow, type Sql, sql } from '@/lib/db/sql'
import { lockName, transaction } from '@/lib/db/transaction'
import { requireProofToAdmit } from '@/lib/domain/invitations/create'
import { pairLock } from '@/lib/domain/pecks/request/request-facts'
import { askerId } from '@/lib/domain/pecks/schema'
import { announceChange } from '@/lib/domain/sessions/announce-change'
import type { ProofFailure } from '@/lib/domain/sessions/proof'
import { record } from '@/lib/infrastructure/events/record'
import { signal } from '@/lib/infrastructure/events/signals'
import { m } from '@/lib/kernel/messages'
import type { DucklingContext } from '@/lib/kernel/request/context'
import { always, instant, text, tier } from '@/lib/kernel/request/fields'
import type { Tier } from '@/lib/kernel/request/tier'

/** The list ends after this many contacts, those with the newest requests first. */
const contactsMax = 500
/** Askers whose requests were only rejected are found in so many of the newest rejections. */
const rejectionsMax = 200
/** A row of the history is an action that an asker asked for. */
const actionsMax = 500

const Contact = z
  .object({
    asker: z.string().meta({ description: 'Id of the agent, or of the person.' }),
    name: z.string().meta({ description: 'Name of the agent, or of the person.' }),
    operator_name: z.string().optional().meta({ description: 'Name of the person behind an agent.' }),
    duckling_id: z.string().meta({ description: 'The person who asks, or who is behind the agent.' }),
    handle: z.string().optional().meta({ description: 'Handle of that person, without `@`.' }),
    trust_tier: tier,
    asked: z.int().meta({ description: 'Requests of this asker that you saw.' }),
    approved: z.int().meta({ description: 'How many of them you approved.' }),
    approved_by_rule: z.int().meta({ description: 'How many of them your rules approved.' }),
    last_asked_at: instant.nullable(),
    note: z.string().nullable().meta({ description: 'Only you see it.' }),
    always: z.boolean().meta({ description: 'Whether this asker may always reach you.' }),
    blocked_at: instant.nullable().meta({ description: 'Since when you block the person.' }),
  })
  .meta({ id: 'Contact' })

export const Contacts = z.object({ items: z.array(Contact) })

interface ContactRow {
  askerId: string
  agentName: string | null
  personId: string
  personName: string
  handle: string | null
  trustTier: Tier
  asked: number
  approved: number
  approvedByRule: number
  askedAt: Date | null
  note: string | null
  alwaysAt: Date | null
  blockedAt: Date | null
}

/**
 * Selects the ids of the contacts of `ducklingId`: of whom something was approved, whose request was rejected lately, or about whom something
 * is noted. Each part reads an index of the person. The person's own agents are left out below.
 */
const contactsOf = (ducklingId: string): Sql => sql`
  (SELECT DISTINCT "askerId" FROM "AskerHistory" WHERE "targetDucklingId" = ${ducklingId} AND "approved" > 0
    ORDER BY "askerId" DESC LIMIT ${contactsMax})
  UNION (SELECT "askerId" FROM "Contact" WHERE "ducklingId" = ${ducklingId} ORDER BY "askerId" DESC LIMIT ${contactsMax})
  UNION (SELECT "askerId" FROM (SELECT "askerId" FROM "Peck" WHERE "targetDucklingId" = ${ducklingId} AND "status" = 'rejected'
    ORDER BY "id" DESC LIMIT ${rejectionsMax}) rejected)`

/** Returns the contacts of the caller, those with the newest requests first. */
export async function listContacts({ caller }: DucklingContext): Promise<z.input<typeof Contacts>> {
  const rows = await db().rows<ContactRow>`
    SELECT k."askerId", a."name" AS "agentName", d."id" AS "personId", coalesce(d."fullName", d."displayName") AS "personName",
      d."handle", d."trustTier"::text AS "trustTier", h."asked", h."approved" - h."approvedByRule" AS "approved", h."approvedByRule", h."askedAt",
      c."note", c."alwaysAt", b."createdAt" AS "blockedAt"
    FROM (${contactsOf(caller.id)}) k
    ${leftJoinRow('Agent', 'a', 'k."askerId"')}
    JOIN "Duckling" d ON d."id" = coalesce(a."ducklingId", k."askerId") AND d."deletedAt" IS NULL AND d."id" <> ${caller.id}
    LEFT JOIN "Contact" c ON c."ducklingId" = ${caller.id} AND c."askerId" = k."askerId"
    LEFT JOIN "PeckBlock" b ON b."ducklingId" = ${caller.id} AND b."blockedDucklingId" = d."id"
    CROSS JOIN LATERAL (
      SELECT coalesce(sum("asked"), 0)::int AS "asked", coalesce(sum("approved"), 0)::int AS "approved",
        coalesce(sum("approvedByRule"), 0)::int AS "approvedByRule", max("askedAt") AS "askedAt"
      FROM (SELECT * FROM "AskerHistory" WHERE "targetDucklingId" = ${caller.id} AND "askerId" = k."askerId" LIMIT ${actionsMax}) counted
    ) h
    ORDER BY h."askedAt" DESC NULLS LAST, k."askerId" DESC LIMIT ${contactsMax}`
  return { items: rows.map(presentContact) }
}

function presentContact(row: ContactRow): z.input<typeof Contact> {
  const { agentName, personName, handle } = row
  return {
    asker: row.askerId,
    name: agentName ?? personName,
    ...(agentName === null ? {} : { operator_name: personName }),
    duckling_id: row.personId,
    ...(handle === null ? {} : { handle }),
    trust_tier: row.trustTier,
    asked: row.asked,
    approved: row.approved,
    approved_by_rule: row.approvedByRule,
    last_asked_at: row.askedAt,
    note: row.note,
    always: row.alwaysAt !== null,
    blocked_at: row.blockedAt,
  }
}

export const ContactChange = z
  .strictObject({
    asker: askerId,
    note: text(0, 280).nullable().optional().meta({ description: 'Null or an empty text removes it.' }),
    always: z.boolean().optional().meta({
      description:
        'Requests of this asker come like those of known askers: in the first list, and also below your `min_peck_tier`.',
    }),
  })
  .refine(({ note, always: isAlways }) => note !== undefined || isAlways !== undefined, {
    path: ['note'],
    error: m.field_must_be_sent_or_always,
    when: always,
  })

export const ChangedContact = Contact.pick({ asker: true, note: true, always: true }).meta({
  id: 'ChangedContact',
})

/**
 * Changes what the caller has noted about an asker. Throws `asker_not_found` when the caller has seen no request of it. Setting `always` also
 * throws `session_invalid` or the failures of `requireProof`.
 */
export function updateContact(
  context: DucklingContext<'asker_not_found' | 'session_invalid' | ProofFailure>,
  { asker, note, always: isAlways }: z.output<typeof ContactChange>,
): Promise<z.input<typeof ChangedContact>> {
  const { caller } = context
  return transaction(async (tx) => {
    const personId = await personBehind(tx, context, asker)
    // A request that runs at the same time is sent before, and moves to the first list too, or after, and is known.
    // Before the account: a request takes the two locks in this order.
    await lockName(tx, pairLock(personId, caller.id))
    const isWeakened = isAlways === true && (await requireProofToAdmit(tx, context))
    const before = await tx.contact.findUnique({
      where: { ducklingId_askerId: { ducklingId: caller.id, askerId: asker } },
    })
    const after = {
      note: note === undefined ? (before?.note ?? null) : note || null,
      ...alwaysColumns(before, isAlways, context),
    }
    await store(tx, { ducklingId: caller.id, askerId: asker }, after)
    if (isAlways === true) await showStrangers(tx, { ducklingId: caller.id, askerId: asker, personId })
    record(tx, context, 'contact.updated', {
      targets: [{ type: asker.startsWith('AGT-') ? 'agent' : 'duckling', id: asker }],
      metadata: isAlways === undefined ? {} : { always: isAlways },
    })
    if (isWeakened && before?.alwaysAt == null) announceChange(tx, context, 'rules_weakened')
    signal(tx, caller.id)
    return { asker, note: after.note, always: after.alwaysAt !== null }
  })
}

interface AlwaysColumns {
  alwaysAt: Date | null
  sessionId: string | null
}

function alwaysColumns(
  before: AlwaysColumns | null,
  isAlways: boolean | undefined,
  { caller, now }: DucklingContext,
): AlwaysColumns {
  const { alwaysAt = null, sessionId = null } = before ?? {}
  if (isAlways === undefined || isAlways === (alwaysAt !== null)) return { alwaysAt, sessionId }
  return isAlways ? { alwaysAt: now, sessionId: caller.sessionId } : { alwaysAt: null, sessionId: null }
}

interface ContactKey {
  ducklingId: string
  askerId: string
}

async function store(tx: Tx, key: ContactKey, row: AlwaysColumns & { note: string | null }): Promise<void> {
  if (row.note === null && row.alwaysAt === null) {
    await tx.contact.deleteMany({ where: key })
    return
  }
  await tx.contact.upsert({ where: { ducklingId_askerId: key }, create: { ...key, ...row }, update: row })
}

/** Returns the person who asks with that id. Locks nobody: neither agents nor people change their ids. */
async function personBehind(
  tx: Tx,
  { caller, fail }: DucklingContext<'asker_not_found'>,
  asker: string,
): Promise<string> {
  const [row] = await tx.rows<{ personId: string }>`
    SELECT d."id" AS "personId" FROM (SELECT ${asker}::text AS "askerId") k
    ${leftJoinRow('Agent', 'a', 'k."askerId"')}
    JOIN "Duckling" d ON d."id" = coalesce(a."ducklingId", k."askerId") AND d."deletedAt" IS NULL AND d."id" <> ${caller.id}
    WHERE EXISTS (SELECT 1 FROM "AskerHistory" WHERE "targetDucklingId" = ${caller.id} AND "askerId" = k."askerId")
      OR EXISTS (SELECT 1 FROM "Contact" WHERE "ducklingId" = ${caller.id} AND "askerId" = k."askerId")
      OR EXISTS (SELECT 1 FROM "Peck" WHERE "targetDucklingId" = ${caller.id} AND "askerId" = k."askerId" AND NOT "blocked")`
  if (row === undefined) throw fail('asker_not_found')
  return row.personId
}

/** Moves the waiting pecks of the asker from the second list into the first. With the condition of the index "Peck_limits_idx". */
async function showStrangers(
  tx: Tx,
  { ducklingId, askerId: asker, personId }: ContactKey & { personId: string },
): Promise<void> {
  await tx.run`
    UPDATE "Peck" SET "stranger" = false WHERE "id" = ANY(ARRAY(
      SELECT "id" FROM "Peck" WHERE "requesterDucklingId" = ${personId} AND "targetDucklingId" = ${ducklingId}
        AND "status" = 'pending' AND "askerId" = ${asker} AND "stranger" ORDER BY "id" FOR NO KEY UPDATE))`
}

/** Deletes the contacts of an account that is closed, and what others noted about it and its agents. */
export async function eraseContacts(tx: Tx, ducklingId: string): Promise<void> {
  await tx.run`
    DELETE FROM "Contact" WHERE "ducklingId" = ${ducklingId} OR "askerId" = ${ducklingId}
      OR "askerId" IN (SELECT "id" FROM "Agent" WHERE "ducklingId" = ${ducklingId})`
}

/** Takes the switch from contacts of an account, when another person may have set it. Returns their ids. */
export async function forgetAlways(tx: Tx, ducklingId: string, where: Sql): Promise<string[]> {
  const changed = await tx.rows<{ askerId: string }>`
    UPDATE "Contact" SET "alwaysAt" = NULL, "sessionId" = NULL
    WHERE "ducklingId" = ${ducklingId} AND "alwaysAt" IS NOT NULL AND ${where} RETURNING "askerId"`
  return changed.map(({ askerId: id }) => id).sort()
}
