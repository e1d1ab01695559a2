/** Incidents that the operator writes, and the operator's text for measured ones. */
import { db, type Tx } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import { newId } from '@/lib/kernel/ids'
import type { IncidentSpan } from './history'
import type { ComponentName } from './schema'

export interface Incident extends IncidentSpan {
  id: string
  byOperator: boolean
  note: string | null
}

interface NewIncident {
  component: ComponentName | null
  condition: IncidentSpan['condition']
  note: string
  from: Date
}

/** Opens an incident and returns its id. */
export function openIncident({ component, condition, note, from }: NewIncident, now: Date): Promise<string> {
  const id = newId('incident', now)
  return transaction(async (tx) => {
    await tx.run`
      INSERT INTO "Incident" ("id", "component", "condition", "byOperator", "startedAt", "note")
      VALUES (${id}, ${component}, ${condition}, true, ${from}::timestamptz, ${note})`
    return id
  })
}

/** Replaces the text of an incident. Returns false when there is no such incident. */
export function writeIncidentNote(id: string, note: string): Promise<boolean> {
  return changesOne((tx) => tx.run`UPDATE "Incident" SET "note" = ${note} WHERE "id" = ${id}`)
}

/**
 * Ends an incident of the operator at a time after its start. Returns false when no open one has this id: a measured incident ends by itself.
 */
export function closeIncident(id: string, at: Date): Promise<boolean> {
  return changesOne(
    (tx) => tx.run`
      UPDATE "Incident" SET "endedAt" = ${at}::timestamptz
      WHERE "id" = ${id} AND "byOperator" AND "endedAt" IS NULL AND "startedAt" <= ${at}::timestamptz`,
  )
}

async function changesOne(change: (tx: Tx) => Promise<number>): Promise<boolean> {
  return (await transaction(change)) === 1
}

/** Returns the newest incidents. */
export function listIncidents(limit: number): Promise<Incident[]> {
  return db().rows<Incident>`
    SELECT "id", "component", "condition", "byOperator", "startedAt", "endedAt", "note" FROM "Incident"
    ORDER BY "startedAt" DESC, "id" DESC LIMIT ${limit}`
}
