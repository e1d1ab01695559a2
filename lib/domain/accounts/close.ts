/**
 * Closes an account (contract D3): ends everything that belongs to it in one transaction and lists it in the answer. What happens to each kind
 * is in lib/domain/revocation/kinds.ts. docs/privacy.md says what is kept, and why.
 *
 * The account and its audit chain are locked first. What a command of this account committed before the lock is seen and ended
 * here. A command that still runs waits for the chain, finds it ended and is rolled back. So nothing is left behind.
 */

import { db, type Tx } from '@/lib/db/client'
import { joinRow, type Sql, sql } from '@/lib/db/sql'
import { transaction, withCurrentTime } from '@/lib/db/transaction'
import { liveStatuses } from '@/lib/domain/agents/schema'
import { activeGrantParts } from '@/lib/domain/pecks/grant/active'
import { isPendingAt } from '@/lib/domain/pecks/state'
import { lockAccount, takeAway } from '@/lib/domain/revocation/kinds'
import { pick } from '@/lib/domain/revocation/taking'
import { type ProofFailure, requireProof } from '@/lib/domain/sessions/proof'
import { enqueueEnded } from '@/lib/domain/tlog/enqueue'
import { endChain } from '@/lib/infrastructure/events/chain'
import { enqueue, kindOfNotice } from '@/lib/infrastructure/events/outbox'
import { record } from '@/lib/infrastructure/events/record'
import { readReader } from '@/lib/infrastructure/mail/reader'
import { previewMax } from '@/lib/kernel/request/closing-preview'
import type { DucklingContext } from '@/lib/kernel/request/context'
import { type ClosedAccountInput, type ClosingPreview, type Touched, touchedNames } from './schema'

/** Closes the caller's account. Throws the failures of `requireProof`, or `session_invalid` when it has just been closed. */
export function closeAccount(
  context: DucklingContext<ProofFailure | 'session_invalid'>,
): Promise<ClosedAccountInput> {
  return transaction(async (tx) => {
    await requireProof(tx, context)
    return close(tx, context, 'account_closed')
  })
}

/** Closes an account by a command of the host, which needs no proof. Throws `session_invalid` when it has just been closed. */
export function closeAccountByHost(context: DucklingContext<'session_invalid'>): Promise<ClosedAccountInput> {
  return transaction((tx) => close(tx, context, 'account_closed_by_host'))
}

/** Closes an account again that a backup brought back. Its owner was told when it was closed. Throws `session_invalid`, as above. */
export function closeAccountAgain(context: DucklingContext<'session_invalid'>): Promise<ClosedAccountInput> {
  return transaction((tx) => close(tx, context, null))
}

/** Ends everything and erases. `letter` is the mail to the owner. */
async function close(
  tx: Tx,
  given: DucklingContext<'session_invalid'>,
  letter: 'account_closed' | 'account_closed_by_host' | null,
): Promise<ClosedAccountInput> {
  const { caller } = given
  const owner = await lockAccount(tx, caller.id, given.now)
  if (owner === null) throw given.fail('session_invalid')
  const context = withCurrentTime(given)
  const { now } = context
  const reader = await readReader(tx, caller.id)
  const ended = await takeAway(tx, { occasion: 'close', context, ducklingId: caller.id })
  const touched = pick(ended, touchedNames)
  enqueueEnded(tx, { duckling_id: caller.id })
  // An address that was never verified gets no mail, because it may belong to another person (contract F, First proof of an address).
  if (owner.verifiedEmail !== null && letter !== null)
    enqueue(tx, now, kindOfNotice('letter', letter), {
      to: owner.verifiedEmail,
      notice: letter,
      facts: { at: now.toISOString(), ...countsOf(touched) },
      reader,
    })
  record(tx, context, 'duckling.closed', {
    targets: [{ type: 'duckling', id: caller.id }],
    metadata: touched,
  })
  endChain(tx, caller.id)
  enqueue(tx, now, 'erase_context', { duckling_id: caller.id })
  return { success: true, duckling_id: caller.id, closed_at: now, touched }
}

/** Returns how many of each kind ended, as facts of the mail. */
const countsOf = (touched: Touched): Record<string, string> =>
  Object.fromEntries(Object.entries(touched).map(([kind, { length }]) => [kind, String(length)]))

/** Counts the rows of a statement, up to `previewMax`, so that a large account costs little more than a small one. */
const countOf = (...parts: Sql[]): Sql => {
  const counts = parts.map((part) => sql`(SELECT count(*) FROM (${part} LIMIT ${previewMax}) found)`)
  return sql`least(${counts.reduce((sum, count) => sql`${sum} + ${count}`)}, ${previewMax})::int`
}

/**
 * Counts what closing the caller's account would end now. Pecks are counted by side: those that the caller received, and those that the
 * caller sent to others. One statement with one part for each index.
 */
export async function previewClosing({ caller, now }: DucklingContext): Promise<ClosingPreview> {
  const { id } = caller
  const received = sql`"targetDucklingId" = ${id} AND NOT "blocked"`
  const sent = sql`"requesterDucklingId" = ${id} AND "targetDucklingId" <> ${id}`
  const pending = (side: Sql) => sql`SELECT 1 FROM "Peck" WHERE ${side} AND ${isPendingAt(now)}`
  const granted = (side: Sql) =>
    activeGrantParts(now).map((active) => sql`SELECT 1 FROM "Peck" WHERE ${side} AND ${active}`)
  const own = (table: Sql, condition = sql``) =>
    countOf(sql`SELECT 1 FROM ${table} WHERE "ducklingId" = ${id} ${condition}`)
  const isOpen = sql`AND "revokedAt" IS NULL AND "expiresAt" > ${now}::timestamptz`
  const [counts] = await db().rows<ClosingPreview>`SELECT
    ${own(sql`"Certificate"`, sql`AND "status" = 'active'`)} AS "certificates",
    ${own(sql`"Agent"`, sql`AND "status"::text = ANY(${liveStatuses}::text[])`)} AS "agents",
    ${countOf(sql`SELECT 1 FROM "Agent" a ${joinRow('BeakKey', 'k', 'a."id"', 'activeFor')} WHERE a."ducklingId" = ${id}`)} AS "keys",
    ${countOf(pending(received), pending(sent))} AS "pecks_cancelled",
    ${countOf(...granted(received), ...granted(sent))} AS "grants_revoked",
    ${own(sql`"Passkey"`)} AS "passkeys",
    ${own(sql`"Session"`, isOpen)} AS "sessions",
    ${own(sql`"SsoToken"`, sql`${isOpen} AND "spentAt" IS NULL`)} AS "sso_tokens",
    ${own(sql`"WebhookEndpoint"`)} AS "webhooks",
    ${own(sql`"Rule"`, sql`AND "status" <> 'ended'`)} AS "rules"`
  if (counts === undefined) throw new Error('a statement without rows')
  return counts
}
