/** What a target knows of an asker: how often the asker asked for an action, and what the target approved last. */
import type { Tx } from '@/lib/db/client'
import { type Sql, sql } from '@/lib/db/sql'
import { beforeCommit } from '@/lib/db/transaction'
import type { PeckRow } from '@/lib/domain/pecks/rows'
import type { AskerFacts } from '../risk/rules'
import type { Params } from './params'
import type { RequestFacts } from './request-facts'

type HistoryKey = Pick<PeckRow, 'targetDucklingId' | 'askerId' | 'action'>

const keyOf = ({ targetDucklingId, askerId, action }: HistoryKey): Sql =>
  sql`${targetDucklingId}, ${askerId}, ${action}`

/** Counts a request that the target can see, at the end of the transaction. */
export function addAsked(tx: Tx, peck: HistoryKey): void {
  beforeCommit(
    tx,
    sql`INSERT INTO "AskerHistory" AS h ("targetDucklingId", "askerId", "action", "asked") VALUES (${keyOf(peck)}, 1)
      ON CONFLICT ("targetDucklingId", "askerId", "action") DO UPDATE SET "asked" = h."asked" + 1`,
  )
}

/** Counts an approval and stores its params for the comparison with the next request, at the end of the transaction. */
export function addApproved(tx: Tx, peck: HistoryKey & Pick<PeckRow, 'params'>, now: Date): void {
  beforeCommit(
    tx,
    sql`INSERT INTO "AskerHistory" AS h ("targetDucklingId", "askerId", "action", "asked", "approved", "approvedAt", "approvedParams")
      VALUES (${keyOf(peck)}, 1, 1, ${now}::timestamptz, ${peck.params})
      ON CONFLICT ("targetDucklingId", "askerId", "action") DO UPDATE SET "approved" = h."approved" + 1,
        "approvedAt" = EXCLUDED."approvedAt", "approvedParams" = EXCLUDED."approvedParams"`,
  )
}

/** Returns what the rules of risk look at. */
export function askerFacts(facts: RequestFacts, now: Date): AskerFacts {
  const { approved, approvedParams, agentCreatedAt, keyCreatedAt } = facts
  const age = (since: Date) => Math.floor((now.getTime() - since.getTime()) / 1000)
  const isRotated = agentCreatedAt !== null && keyCreatedAt !== null && keyCreatedAt > agentCreatedAt
  return {
    knowsAsker: facts.knowsAsker,
    approved: approved ?? 0,
    approvedParams: approvedParams === null ? null : (JSON.parse(approvedParams) as Params),
    agentAge: agentCreatedAt === null ? null : age(agentCreatedAt),
    keyAge: isRotated ? age(keyCreatedAt) : null,
  }
}
