/** The card of a person who asked the caller: who it is, which of the person's agents asked, and what the caller decided. */
import { z } from 'zod'
import { db } from '@/lib/db/client'
import { leftJoinRow, sql } from '@/lib/db/sql'
import { pauseEnd, type Rejection, rejectionsOf } from '@/lib/domain/pecks/request/asking-pause'
import { askerId } from '@/lib/domain/pecks/schema'
import { isDueRejectionAt } from '@/lib/domain/pecks/state'
import { agentStatus } from '@/lib/infrastructure/events/kinds/agents'
import type { PeckStatus } from '@/lib/infrastructure/events/kinds/peck-data'
import type { DucklingContext } from '@/lib/kernel/request/context'
import { instant, tier } from '@/lib/kernel/request/fields'
import type { Tier } from '@/lib/kernel/request/tier'

/** The card looks at the person and this many of the newest agents. */
const agentsMax = 100
/** It shows this many of those that asked, those with the newest request first. */
const askersMax = 20
/** A row is an action that an asker asked for. */
const actionsMax = 500
/** The numbers count the decisions on the newest requests, and the list has the newest of these decisions. */
const countedMax = 200
const listedMax = 10

export const AskerQuery = z.strictObject({ asker: askerId })

const Person = z
  .object({
    duckling_id: z.string(),
    display_name: z.string(),
    full_name: z.string().optional(),
    handle: z.string().optional().meta({ description: 'Without `@`.' }),
    trust_tier: tier,
    member_since: instant,
    cert_id: z.string().nullable().meta({ description: 'The active certificate.' }),
    listed: z.boolean().meta({ description: 'Whether the directory lists the person.' }),
  })
  .meta({ id: 'AskingPerson' })

export const AskerCard = z
  .object({
    person: Person,
    agents: z
      .array(
        z
          .object({
            agent_id: z.string(),
            agent_name: z.string(),
            status: agentStatus,
            asked: z.int(),
            approved: z.int().meta({ description: 'How many of them you approved.' }),
            approved_by_rule: z.int().meta({ description: 'How many of them your rules approved.' }),
            last_asked_at: instant.nullable(),
          })
          .meta({ id: 'AskingAgent' }),
      )
      .meta({
        description: 'The agents of the person that asked you, at most 20, the newest request first.',
      }),
    approved: z
      .int()
      .meta({ description: 'Requests that you approved, with those whose permission ended early.' }),
    rejected: z.int().meta({ description: 'Requests that you rejected.' }),
    revoked: z.int().meta({
      description:
        'Requests that you approved and whose permission ended early: you revoked it, or the asker was deregistered or closed.',
    }),
    by_rules: z
      .object({ approved: z.int(), rejected: z.int() })
      .meta({ description: 'Requests that your rules approved and rejected.' }),
    counted_all: z.boolean().meta({ description: 'False: the numbers count the newest 200 requests only.' }),
    decisions: z
      .array(
        z
          .object({
            peck_id: z.string(),
            action: z.string(),
            asker: z.string().meta({ description: 'Id of the agent, or of the person, that asked.' }),
            outcome: z.enum(['approved', 'rejected', 'revoked']),
            by_rule: z.boolean().meta({ description: 'Whether a rule of yours answered.' }),
            at: instant,
          })
          .meta({ id: 'AskerDecision' }),
      )
      .meta({ description: 'The newest decisions of you and your rules, at most 10.' }),
    last_asked_at: instant.nullable(),
    blocked_at: instant.nullable().meta({ description: 'Since when you block the person.' }),
    paused_until: instant
      .nullable()
      .meta({ description: 'Your rejections pause requests of the person, or one action, until then.' }),
  })
  .meta({ id: 'AskerCard' })

interface PersonRow {
  id: string
  displayName: string
  fullName: string | null
  handle: string | null
  trustTier: Tier
  createdAt: Date
  listed: boolean
  certificateId: string | null
  blockedAt: Date | null
  rejections: Rejection[]
}

interface AskerRow {
  askerId: string
  personId: string
  name: string | null
  status: z.output<typeof agentStatus> | null
  asked: number
  approved: number
  approvedByRule: number
  askedAt: Date | null
}

interface DecisionRow {
  id: string
  askerId: string
  action: string
  status: PeckStatus
  ruleId: string | null
  at: Date | null
  revokedAt: Date | null
}

/**
 * Returns the card of the person with that id, or behind the agent with that id. Throws `asker_not_found` when the caller has seen no
 * request of that asker: also for an unknown one, and for one whose requests a block hides.
 */
export async function readAskerCard(
  context: DucklingContext<'asker_not_found'>,
  asker: string,
): Promise<z.input<typeof AskerCard>> {
  const { caller, now } = context
  const askers = (await readAskers(caller.id, asker)).sort((left, right) => timeOf(right) - timeOf(left))
  const [newest] = askers
  const isKnown = askers.some(({ askerId: id, personId }) => id === asker || personId === asker)
  if (newest === undefined || !isKnown) throw context.fail('asker_not_found')
  const [person, requests] = await Promise.all([
    readPerson(caller.id, newest.personId, now),
    readRequests(
      caller.id,
      askers.map(({ askerId: id }) => id),
      now,
    ),
  ])
  if (person === undefined) throw context.fail('asker_not_found')
  return {
    person: presentPerson(person),
    agents: askers.flatMap(presentAgent).slice(0, askersMax),
    ...decisionsIn(requests),
    last_asked_at: newest.askedAt,
    blocked_at: person.blockedAt,
    paused_until: pauseEnd(person.rejections, now),
  }
}

const timeOf = ({ askedAt }: AskerRow) => askedAt?.getTime() ?? 0

/** Returns those of the person and the agents whose requests the target has seen. The limit never cuts off the given one. */
function readAskers(targetId: string, asker: string): Promise<AskerRow[]> {
  const person = sql`coalesce((SELECT "ducklingId" FROM "Agent" WHERE "id" = ${asker}), ${asker})`
  const seen = sql`SELECT 1 FROM "Peck" WHERE "targetDucklingId" = ${targetId} AND "askerId" = c."askerId" AND NOT "blocked"`
  return db().rows<AskerRow>`
    SELECT c."askerId", c."personId", a."name", a."status", h."asked", h."approved" - h."approvedByRule" AS "approved", h."approvedByRule", h."askedAt"
    FROM (
      SELECT ${asker}::text AS "askerId", ${person} AS "personId"
      UNION SELECT ${person}, ${person}
      UNION (SELECT "id", "ducklingId" FROM "Agent" WHERE "ducklingId" = ${person} ORDER BY "id" DESC LIMIT ${agentsMax})
    ) c
    ${leftJoinRow('Agent', 'a', 'c."askerId"')}
    CROSS JOIN LATERAL (
      SELECT count(*) AS "rows", coalesce(sum("asked"), 0)::int AS "asked", coalesce(sum("approved"), 0)::int AS "approved",
        coalesce(sum("approvedByRule"), 0)::int AS "approvedByRule", max("askedAt") AS "askedAt"
      FROM (SELECT * FROM "AskerHistory" WHERE "targetDucklingId" = ${targetId} AND "askerId" = c."askerId" LIMIT ${actionsMax}) counted
    ) h
    WHERE h."rows" > 0 OR EXISTS (${seen})
    ORDER BY c."askerId" = ${asker} DESC, h."askedAt" DESC NULLS LAST LIMIT ${askersMax + 1}`
}

async function readPerson(targetId: string, personId: string, now: Date): Promise<PersonRow | undefined> {
  const [row] = await db().rows<PersonRow>`
    SELECT d."id", d."displayName", d."fullName", d."handle", d."trustTier"::text AS "trustTier", d."createdAt", d."listed",
      c."id" AS "certificateId", b."createdAt" AS "blockedAt", (${rejectionsOf(personId, targetId, now)}) AS "rejections"
    FROM "Duckling" d
    LEFT JOIN "Certificate" c ON c."activeFor" = d."id"
    LEFT JOIN "PeckBlock" b ON b."ducklingId" = ${targetId} AND b."blockedDucklingId" = d."id"
    WHERE d."id" = ${personId}`
  return row
}

/** Returns the newest requests that no block hides from the target. */
function readRequests(targetId: string, askerIds: string[], now: Date): Promise<DecisionRow[]> {
  const isRejected = isDueRejectionAt(now)
  return db().rows<DecisionRow>`
    SELECT p.* FROM unnest(${askerIds}::text[]) asker("id")
    CROSS JOIN LATERAL (
      SELECT "id", "askerId", "action", "ruleId", "grantRevokedAt" AS "revokedAt",
        CASE WHEN ${isRejected} THEN 'rejected' ELSE "status"::text END AS "status",
        CASE WHEN ${isRejected} THEN "rejectAt" ELSE "decidedAt" END AS "at" FROM "Peck"
      WHERE "targetDucklingId" = ${targetId} AND "askerId" = asker."id" AND NOT "blocked" AND NOT "undone"
      ORDER BY "id" DESC LIMIT ${countedMax + 1}
    ) p
    ORDER BY p."id" DESC LIMIT ${countedMax + 1}`
}

function presentPerson(row: PersonRow): z.input<typeof Person> {
  return {
    duckling_id: row.id,
    display_name: row.displayName,
    ...(row.fullName === null ? {} : { full_name: row.fullName }),
    ...(row.handle === null ? {} : { handle: row.handle }),
    trust_tier: row.trustTier,
    member_since: row.createdAt,
    cert_id: row.certificateId,
    listed: row.listed,
  }
}

function presentAgent(row: AskerRow): z.input<typeof AskerCard>['agents'] {
  const { askerId: id, name, status, asked, approved, approvedByRule, askedAt } = row
  if (name === null || status === null) return []
  const counts = { asked, approved, approved_by_rule: approvedByRule }
  return [{ agent_id: id, agent_name: name, status, ...counts, last_asked_at: askedAt }]
}

type Decisions = Pick<
  z.input<typeof AskerCard>,
  'approved' | 'rejected' | 'revoked' | 'by_rules' | 'counted_all' | 'decisions'
>

const isRuled = ({ ruleId }: DecisionRow) => ruleId !== null

const answersIn = (rows: DecisionRow[]) => ({
  approved: rows.filter(({ status }) => status === 'approved').length,
  rejected: rows.filter(({ status }) => status === 'rejected').length,
})

function decisionsIn(requests: DecisionRow[]): Decisions {
  const counted = requests.slice(0, countedMax)
  const [ruled, own] = [counted.filter(isRuled), counted.filter((row) => !isRuled(row))]
  const decisions = counted.flatMap(({ id, askerId: asker, action, ruleId, status, at, revokedAt }) => {
    if ((status !== 'approved' && status !== 'rejected') || at === null) return []
    const outcome = revokedAt === null ? status : ('revoked' as const)
    return [{ peck_id: id, action, asker, outcome, by_rule: ruleId !== null, at: revokedAt ?? at }]
  })
  return {
    ...answersIn(own),
    revoked: own.filter(({ revokedAt }) => revokedAt !== null).length,
    by_rules: answersIn(ruled),
    counted_all: requests.length <= countedMax,
    decisions: decisions.sort((left, right) => right.at.getTime() - left.at.getTime()).slice(0, listedMax),
  }
}
