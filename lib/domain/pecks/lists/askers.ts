/** Who asked the caller for what, for people who look for a request or a permission. */
import { z } from 'zod'
import { db } from '@/lib/db/client'
import { leftJoinRow } from '@/lib/db/sql'
import { askerId } from '@/lib/domain/pecks/schema'
import type { DucklingContext } from '@/lib/kernel/request/context'
import { instant } from '@/lib/kernel/request/fields'

/**
 * The list is for choosing a filter, so it ends after this many pairs of an asker and an action. The newest action of each
 * asker comes first, then the second newest of each: so an asker with many actions hides no other asker.
 */
const pairsMax = 500
const actionsMax = 20

export const AskedAction = z
  .object({
    action: z.string(),
    asked: z.int(),
    approved: z.int().meta({ description: 'How often you approved it.' }),
    approved_by_rule: z.int().meta({ description: 'How often a rule of yours approved it.' }),
    approved_at: instant.nullable(),
  })
  .meta({ id: 'AskedAction' })

export const Askers = z.object({
  items: z.array(
    z
      .object({
        asker: askerId,
        name: z.string().meta({ description: 'Name of the agent, or of the person.' }),
        operator_name: z.string().optional().meta({ description: 'Name of the person behind an agent.' }),
        duckling_id: z.string().meta({ description: 'The person who asks, or who is behind the agent.' }),
        handle: z.string().optional().meta({ description: 'Handle of that person, without `@`.' }),
        actions: z.array(AskedAction),
      })
      .meta({ id: 'KnownAsker' }),
  ),
})

type Asker = z.input<typeof Askers>['items'][number]

interface AskerRow {
  askerId: string
  action: string
  asked: number
  approved: number
  approvedByRule: number
  approvedAt: Date | null
  agentName: string | null
  personId: string | null
  personName: string | null
  handle: string | null
}

/** Returns the askers whose requests the caller has seen, by name, with the actions that they asked for, the newest first. */
export async function listAskers({ caller }: DucklingContext): Promise<z.input<typeof Askers>> {
  const rows = await db().rows<AskerRow>`
    SELECT h."askerId", h."action", h."asked", h."approved" - h."approvedByRule" AS "approved", h."approvedByRule", h."approvedAt", a."name" AS "agentName",
      d."id" AS "personId", coalesce(d."fullName", d."displayName") AS "personName", d."handle"
    FROM (
      SELECT * FROM (
        SELECT *, row_number() OVER (PARTITION BY "askerId" ORDER BY "askedAt" DESC NULLS LAST, "action") AS "position"
        FROM "AskerHistory" WHERE "targetDucklingId" = ${caller.id}
      ) ranked
      WHERE "position" <= ${actionsMax} ORDER BY "position", "askedAt" DESC NULLS LAST, "askerId" LIMIT ${pairsMax}
    ) h
    ${leftJoinRow('Agent', 'a', 'h."askerId"')}
    ${leftJoinRow('Duckling', 'd', 'coalesce(a."ducklingId", h."askerId")')}
    ORDER BY h."position"`
  const askers = new Map<string, Asker>()
  for (const row of rows) {
    const known = askers.get(row.askerId) ?? presentAsker(row)
    known.actions.push({
      action: row.action,
      asked: row.asked,
      approved: row.approved,
      approved_by_rule: row.approvedByRule,
      approved_at: row.approvedAt,
    })
    askers.set(row.askerId, known)
  }
  const collator = new Intl.Collator('en')
  return { items: [...askers.values()].sort((left, right) => collator.compare(left.name, right.name)) }
}

function presentAsker({ askerId: asker, agentName, personId, personName, handle }: AskerRow): Asker {
  const person = personName ?? ''
  const names = agentName === null ? { name: person } : { name: agentName, operator_name: person }
  return {
    asker,
    ...names,
    duckling_id: personId ?? asker,
    ...(handle === null ? {} : { handle }),
    actions: [],
  }
}
