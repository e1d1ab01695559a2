import { z } from 'zod'
import { db } from '@/lib/db/client'
import { sql } from '@/lib/db/sql'
import { Approver } from '@/lib/domain/approvers/schema'
import { Profile, type ProfileRow, presentProfile, profilesWith } from '@/lib/domain/identity/schema'
import { PendingUndo } from '@/lib/domain/identity/undo-email-change'
import { presentRecovery, Recovery } from '@/lib/domain/passkeys/recovery'
import { isAmongKnown, isWaitingAt } from '@/lib/domain/pecks/state'
import { changesOfOthers, RecentChange, recentItems, shownSince } from '@/lib/domain/sessions/recent-changes'
import type { DucklingContext } from '@/lib/kernel/request/context'
import { instant, time } from '@/lib/kernel/request/fields'

/** Limits the count, because counting 100,000 pending pecks on every page would be slow. */
const maxPending = 1000

export const Overview = z
  .object({
    profile: Profile,
    pending_pecks: z.int().meta({ description: 'Pecks that wait for your answer. 1000 for 1000 and more.' }),
    known_pecks: z.int().meta({
      description: 'How many of them are of askers that you know, as in the inbox. 1000 for 1000 and more.',
    }),
    passkeys: z.int(),
    recovery: Recovery.nullable(),
    approver: Approver.pick({ origin: true, covers: true })
      .nullable()
      .meta({ description: 'Your approver, or null.' }),
    email_undo: PendingUndo.nullable(),
    recent_changes: z.array(RecentChange).meta({
      description:
        'Sensitive changes that other sessions made in the last hour, or since `changes_since`. At most 40; `more` counts the others.',
    }),
    time_zone: z.string().nullable().meta({ description: 'The IANA name of the zone for mails, or null.' }),
    rules: z.object({
      made: z.boolean().meta({ description: 'Whether you have made a rule. It may have ended.' }),
      living: z.int().meta({ description: 'How many of your rules have not ended.' }),
      paused_at: instant.nullable().meta({
        description:
          'When you paused everything that may happen without asking: rules, permissions and sign-on by agents. Null: it is not paused.',
      }),
    }),
  })
  .meta({ id: 'Overview' })

export const OverviewQuery = z.strictObject({
  changes_since: time(
    'Also changes since this time, at most of the last 7 days. For a page that keeps reported changes in view.',
  ).optional(),
})

interface OverviewRow extends ProfileRow {
  pendingPecks: number
  knownPecks: number
  passkeys: number
  recoveryCreatedAt: Date | null
  recoveryDueAt: Date | null
  recoverySessionId: string | null
  undoDueAt: Date | null
  approver: z.input<typeof Overview>['approver']
  timeZone: string | null
  rulesPausedAt: Date | null
  hasRules: boolean
  livingRules: number
  recentChanges: Parameters<typeof changesOfOthers>[0]
}

/** Returns what every page shows about the caller, with one statement. */
export async function readOverview(
  context: DucklingContext,
  { changes_since: since }: z.output<typeof OverviewQuery>,
): Promise<z.input<typeof Overview>> {
  const { caller, now } = context
  const waiting = sql`"targetDucklingId" = d."id" AND NOT "blocked" AND NOT "stranger" AND "status" = 'pending' AND "expiresAt" > ${now}::timestamptz
    AND ${isWaitingAt(now)}`
  const counts = sql`,
    (SELECT count(*)::int FROM (SELECT 1 FROM "Peck" WHERE ${waiting} LIMIT ${maxPending}) pending) AS "pendingPecks",
    (SELECT count(*)::int FROM (SELECT 1 FROM "Peck" WHERE ${waiting} AND ${isAmongKnown(caller.id)}
      LIMIT ${maxPending}) known) AS "knownPecks",
    (SELECT count(*)::int FROM "Passkey" WHERE "ducklingId" = d."id") AS "passkeys",
    (SELECT "createdAt" FROM "PasskeyRecovery" WHERE "ducklingId" = d."id") AS "recoveryCreatedAt",
    (SELECT "dueAt" FROM "PasskeyRecovery" WHERE "ducklingId" = d."id") AS "recoveryDueAt",
    (SELECT "sessionId" FROM "PasskeyRecovery" WHERE "ducklingId" = d."id") AS "recoverySessionId",
    (SELECT min("dueAt") FROM "MailLink" WHERE "ducklingId" = d."id" AND "kind" = 'email_undo' AND "usedAt" IS NULL) AS "undoDueAt",
    (SELECT jsonb_build_object('origin', "origin", 'covers', "covers") FROM "Approver" WHERE "ducklingId" = d."id") AS "approver",
    COALESCE((SELECT "timeZone" FROM "NotificationSettings" WHERE "ducklingId" = d."id"), d."browserTimeZone") AS "timeZone",
    d."rulesPausedAt", EXISTS (SELECT 1 FROM "Rule" WHERE "ducklingId" = d."id") AS "hasRules",
    (SELECT count(*)::int FROM "Rule" WHERE "ducklingId" = d."id" AND "status" <> 'ended' AND "expiresAt" > ${now}::timestamptz) AS "livingRules",
    ${recentItems(shownSince(now, since))} AS "recentChanges"`
  const [row] = await db().rows<OverviewRow>`${profilesWith(counts, [caller.id])}`
  if (row === undefined) throw new Error(`no duckling ${caller.id}`)
  const { recoveryCreatedAt: createdAt, recoveryDueAt: dueAt, recoverySessionId: sessionId, undoDueAt } = row
  return {
    profile: presentProfile(row, now),
    pending_pecks: row.pendingPecks,
    known_pecks: row.knownPecks,
    passkeys: row.passkeys,
    recovery:
      createdAt === null || dueAt === null || sessionId === null
        ? null
        : presentRecovery({ createdAt, dueAt, sessionId }),
    approver: row.approver,
    email_undo: undoDueAt === null ? null : { restores_at: undoDueAt },
    recent_changes: changesOfOthers(row.recentChanges, row.createdAt, context),
    time_zone: row.timeZone,
    rules: { made: row.hasRules, living: row.livingRules, paused_at: row.rulesPausedAt },
  }
}
