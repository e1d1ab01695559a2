/**
 * The mail once a week with the numbers of what rules answered (contract F, Mail). An account with rules has a row of `RuleReport`. A chore ends
 * its week and enqueues the mail in one transaction, so that each week is mailed once.
 */

import { exactMoneyText } from '@beak/proofs/rules/money'
import { db, type Tx } from '@/lib/db/client'
import { joinRow, type Sql, sql } from '@/lib/db/sql'
import { beforeCommit, transaction } from '@/lib/db/transaction'
import { lockPeck } from '@/lib/domain/pecks/rows'
import { returnUse } from '@/lib/domain/rules/charge'
import { ruleReason } from '@/lib/domain/rules/sentence'
import { inFlightSeconds } from '@/lib/infrastructure/events/chain'
import { enqueue, type OutboxPayloads } from '@/lib/infrastructure/events/outbox'
import { type Reader, readerColumns, writeFor } from '@/lib/infrastructure/mail/reader'
import { type ReportedRule, reportMessage } from '@/lib/infrastructure/mail/rule-report'
import { writeUnsolicited } from '@/lib/infrastructure/mail/unsolicited'
import { day, secondsAfter } from '@/lib/kernel/runtime/clock'
import { describeError, log } from '@/lib/kernel/runtime/log'
import { firstIdAt } from '@/lib/kernel/secrets/ids'

const weekSeconds = 7 * day
const batchSize = 100

/** Starts the weeks of an account with its first rule, at the end of the transaction. The lock makes the chore see the rule. */
export function startReports(tx: Tx, ducklingId: string, now: Date): void {
  beforeCommit(
    tx,
    sql`INSERT INTO "RuleReport" AS r ("ducklingId", "dueAt") VALUES (${ducklingId}, ${secondsAfter(now, weekSeconds)}::timestamptz)
      ON CONFLICT ("ducklingId") DO UPDATE SET "dueAt" = r."dueAt" WHERE false`,
  )
}

/** Ends the weeks that are over, and enqueues a mail for those in which rules answered something. Called by the worker. */
export async function enqueueReports(now: Date): Promise<void> {
  // Answers of a week that are not committed yet belong into its mail.
  const before = secondsAfter(now, -inFlightSeconds)
  for (;;) {
    const count = await transaction(async (tx) => {
      const due = await tx.rows<{ ducklingId: string; dueAt: Date }>`
        SELECT "ducklingId", "dueAt" FROM "RuleReport" WHERE "dueAt" <= ${before}::timestamptz
        ORDER BY "dueAt" LIMIT ${batchSize} FOR UPDATE SKIP LOCKED`
      for (const { ducklingId, dueAt } of due) await endWeek(tx, ducklingId, lastEnd(dueAt, before), now)
      return due.length
    })
    if (count < batchSize) return
  }
}

/** Returns the end of the last whole week. After a pause of the service, earlier weeks get no mail. */
function lastEnd(dueAt: Date, before: Date): Date {
  const weeks = Math.floor((before.getTime() - dueAt.getTime()) / (weekSeconds * 1000))
  return secondsAfter(dueAt, weeks * weekSeconds)
}

/** Selects what rules answered for an account from a time on. The id of a request is never earlier than its time, so the index finds them. */
const answeredSince = (ducklingId: string, since: Date): Sql =>
  sql`u."ducklingId" = ${ducklingId} AND u."peckId" >= ${firstIdAt('peck', since)} AND u."createdAt" >= ${since}::timestamptz AND u."state" <> 'watched'`

const answeredIn = (ducklingId: string, since: Date, until: Date): Sql =>
  sql`${answeredSince(ducklingId, since)} AND u."createdAt" < ${until}::timestamptz`

async function endWeek(tx: Tx, ducklingId: string, until: Date, now: Date): Promise<void> {
  const since = secondsAfter(until, -weekSeconds)
  const [week] = await tx.rows<{ answered: boolean; goesOn: boolean }>`
    SELECT EXISTS (SELECT 1 FROM "RuleUse" u WHERE ${answeredIn(ducklingId, since, until)}) AS "answered",
      EXISTS (SELECT 1 FROM "Rule" WHERE "ducklingId" = ${ducklingId} AND "status" <> 'ended')
        OR EXISTS (SELECT 1 FROM "RuleUse" u WHERE ${answeredSince(ducklingId, until)}) AS "goesOn"`
  if (week?.answered) {
    const times = { since: since.toISOString(), until: until.toISOString() }
    enqueue(tx, now, 'rule_report', { duckling_id: ducklingId, ...times })
  }
  if (week?.answered || week?.goesOn)
    await tx.ruleReport.update({
      where: { ducklingId },
      data: { dueAt: secondsAfter(until, weekSeconds) },
    })
  else await tx.ruleReport.delete({ where: { ducklingId } })
}

interface Recipient extends Reader {
  email: string | null
  mailRules: boolean
  mailedUntil: Date | null
}

/**
 * Mails what rules answered in a week. Sends nothing to a closed account, an unverified address, or an owner who wants no such mail, and nothing
 * for a week that was mailed. A mail that is sent again after a crash has the same Message-ID. Called by the worker.
 */
export async function sendReport(payload: OutboxPayloads['rule_report'], now: Date): Promise<void> {
  const { duckling_id: ducklingId } = payload
  const [since, until] = [new Date(payload.since), new Date(payload.until)]
  const recipient = await findRecipient(ducklingId)
  if (recipient === null || recipient.email === null || !recipient.mailRules) return
  if (recipient.mailedUntil !== null && recipient.mailedUntil >= until) return
  const rules = await readAnswered(ducklingId, since, until)
  if (rules.length === 0) return
  await writeUnsolicited(recipient.email, 'account', now, async () => ({
    ...writeFor(recipient, () => reportMessage(rules, { since, until, reader: recipient })),
    mailId: `rules-${ducklingId}-${until.getTime()}`,
  }))
  await db().ruleReport.updateMany({ where: { ducklingId }, data: { mailedUntil: until } })
}

async function findRecipient(ducklingId: string): Promise<Recipient | null> {
  const [row] = await db().rows<Recipient>`
    SELECT CASE WHEN d."emailVerifiedAt" IS NOT NULL THEN d."email" END AS "email", COALESCE(s."mailRules", true) AS "mailRules",
      r."mailedUntil", ${readerColumns}
    FROM "Duckling" d
    LEFT JOIN "RuleReport" r ON r."ducklingId" = d."id"
    LEFT JOIN "NotificationSettings" s ON s."ducklingId" = d."id"
    WHERE d."id" = ${ducklingId} AND d."deletedAt" IS NULL`
  return row ?? null
}

interface AnsweredRow {
  id: string
  rule: string
  expiresAt: Date
  currency: string | null
  approved: number
  rejected: number
  /** What the approved requests cost whose permission did not end unused. */
  cost: bigint | string
}

/** Returns what each rule answered, those that answered most first. */
async function readAnswered(ducklingId: string, since: Date, until: Date): Promise<ReportedRule[]> {
  const rows = await db().rows<AnsweredRow>`
    WITH answered AS (
      SELECT u."ruleId", u."currency", (count(*) FILTER (WHERE p."status" <> 'rejected'))::int AS "approved",
        (count(*) FILTER (WHERE p."status" = 'rejected'))::int AS "rejected",
        COALESCE(sum(u."cost") FILTER (WHERE u."state" <> 'returned'), 0)::bigint AS "cost"
      FROM "RuleUse" u ${joinRow('Peck', 'p', 'u."peckId"')}
      WHERE ${answeredIn(ducklingId, since, until)} GROUP BY u."ruleId", u."currency"
    )
    SELECT r."id", r."rule", r."expiresAt", a."currency", a."approved", a."rejected", a."cost"
    FROM answered a ${joinRow('Rule', 'r', 'a."ruleId"')} ORDER BY r."id", a."currency"`
  const rules = new Map<string, ReportedRule>()
  for (const row of rows) {
    const rule = rules.get(row.id) ?? { ...reported(row), approved: 0, rejected: 0, money: [] }
    rules.set(row.id, {
      ...rule,
      approved: rule.approved + row.approved,
      rejected: rule.rejected + row.rejected,
      money: [...rule.money, ...moneyOf(row)],
    })
  }
  const total = ({ approved, rejected }: ReportedRule) => approved + rejected
  return [...rules.values()].sort((left, right) => total(right) - total(left))
}

const reported = ({ id, rule, expiresAt }: AnsweredRow) => ({
  id,
  sentence: ruleReason({ rule, expiresAt: expiresAt.toISOString() }),
})

const moneyOf = ({ cost, currency }: AnsweredRow): string[] =>
  currency === null || Number(cost) === 0 ? [] : [exactMoneyText({ minor: Number(cost), currency })]

/** Settles the uses of rules whose permissions have ended: what was not used goes back into the budget. Called by the worker. */

/** When the next use is due, with the condition of the index "RuleUse_reserved_idx". */
export const nextSettling = sql`
  SELECT "settleAt" FROM "RuleUse" WHERE "state" = 'reserved' ORDER BY "settleAt" LIMIT 1`

/** Settles every due use, each in its own transaction. One that fails is logged, and tried again by the next call. */
export async function settleUses(now: Date): Promise<void> {
  for (let after = ''; ; ) {
    const due = await db().rows<{ peckId: string }>`
      SELECT "peckId" FROM "RuleUse" WHERE "state" = 'reserved' AND "settleAt" <= ${now}::timestamptz AND "peckId" > ${after}
      ORDER BY "peckId" LIMIT ${batchSize}`
    for (const { peckId } of due)
      await settleUse(peckId).catch((error: unknown) =>
        log().error({ peck: peckId, error: describeError(error) }, 'a use of a rule was not settled'),
      )
    const last = due.at(-1)
    if (last === undefined || due.length < batchSize) return
    after = last.peckId
  }
}

/** The lock of the peck waits for a use that another instance is committing. */
function settleUse(peckId: string): Promise<void> {
  return transaction(async (tx) => {
    const peck = await lockPeck(tx, peckId)
    if (peck !== null && peck.uses === 0) return returnUse(tx, peckId)
    beforeCommit(
      tx,
      sql`UPDATE "RuleUse" SET "state" = 'spent' WHERE "peckId" = ${peckId} AND "state" = 'reserved'`,
    )
  })
}
