/** What permissions were used for. */

import { displayValues, typesOf } from '@beak/decision/display/display'
import { sortValues } from '@beak/decision/display/sort'
import { freeTextAction } from '@beak/decision/free-text'
import type { Params } from '@beak/decision/params'
import { testAction } from '@beak/decision/test-request'
import { z } from 'zod'
import { db, Prisma, type Tx } from '@/lib/db/client'
import type { PeckUse as PeckUseRow } from '@/lib/db/generated/client'
import { sql } from '@/lib/db/sql'
import { AsBefore, asBeforeMeta, asBeforeOf } from '@/lib/domain/pecks/as-before'
import { isFirst, isMadeAgent } from '@/lib/domain/pecks/asker-history'
import { AskerHistory, Display, PeckUse, type PeckUseInput } from '@/lib/domain/pecks/display/schema'
import { isExpiredGrant } from '@/lib/domain/pecks/grant/active'
import { paramsText } from '@/lib/domain/pecks/params'
import { shareUrl } from '@/lib/domain/pecks/receipts/share'
import { FirstLine, firstLineMeta, firstLineOf } from '@/lib/domain/pecks/risk/first-line'
import { storedRisk } from '@/lib/domain/pecks/risk/read'
import { findPeck, isTarget, type PeckRow, requireVisible } from '@/lib/domain/pecks/rows'
import { peckId } from '@/lib/domain/pecks/schema'
import { isPendingAt, knowsAsker } from '@/lib/domain/pecks/state'
import type { DucklingContext, OperatorContext } from '@/lib/kernel/request/context'
import { instant } from '@/lib/kernel/request/fields'
import { type Page, type PageRequest, pageOf, pageQuery } from '@/lib/kernel/request/page'
import { inSlices } from '@/lib/kernel/runtime/slices'
import { type Texts, textsOf } from './shown'

/** Query of `GET /beak/peck/uses`. */
export const UsesQuery = z.strictObject({ ...pageQuery(), peck_id: peckId })

/** Returns a page of the kept uses of a permission, newest first. Throws `peck_not_found`. */
export async function listUses(
  context: OperatorContext<'peck_not_found'>,
  page: PageRequest,
  id: string,
): Promise<Page<PeckUseInput>> {
  requireVisible(context, await findPeck(id))
  // A cursor that somebody made up may have no number or a very large one.
  const older = page.after === null ? Prisma.empty : sql`AND "number" < ${Number(page.after)}::float8`
  const rows = await db().rows<PeckUseRow>`
    SELECT * FROM "PeckUse" WHERE "peckId" = ${id} ${older} ORDER BY "number" DESC LIMIT ${page.limit + 1}`
  return pageOf(rows, page, ({ number }) => String(number), presentUse)
}

const presentUse = ({ number, usedAt, audience }: PeckUseRow): PeckUseInput => ({
  number,
  used_at: usedAt,
  audience,
})

/** Details of a peck have this many uses. */
const detailedMax = 3

/** Returns the newest uses of each of these pecks. */
async function lastUsesOf(tx: Tx, ids: string[]): Promise<Map<string, PeckUseInput[]>> {
  const rows = await tx.rows<PeckUseRow>`
    SELECT u.* FROM unnest(${ids}::text[]) AS asked("id")
    CROSS JOIN LATERAL (
      SELECT * FROM "PeckUse" WHERE "peckId" = asked."id" ORDER BY "number" DESC LIMIT ${detailedMax}) u`
  const uses = new Map<string, PeckUseInput[]>()
  for (const row of rows) uses.set(row.peckId, [...(uses.get(row.peckId) ?? []), presentUse(row)])
  return uses
}

/** Deletes the uses of permissions that the duckling gave. */
export async function eraseUses(tx: Tx, ducklingId: string): Promise<void> {
  await tx.run`
    DELETE FROM "PeckUse" WHERE "peckId" IN (
      SELECT "id" FROM "Peck" WHERE "targetDucklingId" = ${ducklingId} AND "status" = 'approved' AND "uses" > 0)`
}

/** Returns the kept uses of all permissions that the duckling gave. */
export async function exportUses(
  tx: Tx,
  ducklingId: string,
): Promise<(PeckUseInput & { peck_id: string })[]> {
  const rows = await tx.rows<PeckUseRow>`
    SELECT u.* FROM "Peck" p JOIN "PeckUse" u ON u."peckId" = p."id"
    WHERE p."targetDucklingId" = ${ducklingId} AND p."status" = 'approved' AND NOT p."blocked" AND p."uses" > 0
    ORDER BY u."peckId", u."number"`
  return rows.map((row) => ({ peck_id: row.peckId, ...presentUse(row) }))
}

/** The details of a peck, on the wire. */

export const PeckDetails = z
  .object({
    peck_id: z.string(),
    grant_seconds: z
      .int()
      .nullable()
      .meta({ description: 'Lifetime asked for the grant. Null: until it is revoked.' }),
    requester_cert_id: z
      .string()
      .nullable()
      .meta({ description: 'Active certificate of the person behind the request.' }),
    requester_blocked: z.boolean().meta({ description: 'Whether you block that person.' }),
    first_contact: z
      .boolean()
      .meta({ description: 'For the target only: you have not approved anything of this asker so far.' }),
    first_line: FirstLine.nullable().meta(firstLineMeta),
    as_before: AsBefore.nullable().meta(asBeforeMeta),
    signed: z.boolean().meta({ description: 'Whether a passkey signed the approval.' }),
    grant_revoked_at: instant.nullable(),
    last_uses: z
      .array(PeckUse)
      .meta({ description: 'The newest three uses. GET /beak/peck/uses has those before.' }),
    shared: z
      .object({ url: z.string(), values: z.boolean() })
      .nullable()
      .meta({ description: 'The public page of the receipt, while you share it.' }),
    shared_by_requester: z.object({ url: z.string(), values: z.boolean() }).nullable().meta({
      description:
        'For the target only: the public page of the receipt, while the requester shares it. POST /beak/peck/unshare ends it.',
    }),
    invitation: z
      .object({
        invitation_id: z.string(),
        note: z.string().nullable().meta({ description: 'Your own note about the link.' }),
        created_at: instant,
      })
      .nullable()
      .meta({ description: 'For the target only: the invitation link of yours that the asker used.' }),
    imitates_service: z.array(z.enum(['message', 'params'])).meta({
      description:
        'Where words of the asker sound like the service or a security team. The service writes in neither.',
    }),
    display: Display,
    asker_history: AskerHistory.nullable().meta({
      description: 'For the target only: earlier requests of this asker for this action.',
    }),
  })
  .meta({ id: 'PeckDetails' })

type PeckDetailsInput = z.input<typeof PeckDetails>

type DetailsRow = PeckRow & {
  certificateId: string | null
  isBlockedNow: boolean
  isSigned: boolean
  knowsAsker: boolean
  isMade: boolean
  /** Whether it waits for an answer of the caller. */
  isAsked: boolean
  /** The target opens it now, and lets the asker see that. */
  isSeen: boolean
  asked: number | null
  approved: number | null
  approvedByRule: number | null
  approvedAt: Date | null
  approvedParams: string | null
  shareId: string | null
  shareHasValues: boolean | null
  askerShareId: string | null
  askerShareHasValues: boolean | null
  invitationId: string | null
  invitationNote: string | null
  invitationAt: Date | null
  /** Only of pending pecks, from here on. */
  waiting: number | null
  approvals: number | null
  approvalUses: number | null
  approvalUsedAt: Date | null
}

/** More earlier requests of an asker than these are not looked at. */
const earlierMax = 50

/**
 * Returns details of those pecks that the caller sent or received. The target sees the certificate of the person behind
 * the request; GET /beak/agent/verify publishes the certificate of an agent's operator.
 */
export async function peckDetails(
  { caller, now }: DucklingContext,
  peckIds: string[],
): Promise<PeckDetailsInput[]> {
  const rows = await db().rows<DetailsRow>`
    SELECT p."id", p."action", p."scope", p."params", p."paramTypes", p."message", p."grantSeconds", p."blocked",
      p."riskLevel", p."riskReasons", p."askerId", p."audience", p."requireSigned", p."createdAt",
      (${isPendingAt(now, 'p')} AND p."targetDucklingId" = ${caller.id}) AS "isAsked",
      p."requesterDucklingId", p."targetDucklingId", p."grantRevokedAt", p."uses",
      c."id" AS "certificateId",
      EXISTS (SELECT 1 FROM "PeckBlock" b
        WHERE b."ducklingId" = ${caller.id} AND b."blockedDucklingId" = p."requesterDucklingId") AS "isBlockedNow",
      ${knowsAsker('p')} AS "knowsAsker", ${isMadeAgent(sql`p."askerId"`, sql`p."targetDucklingId"`)} AS "isMade",
      (${peckIds.length === 1}::boolean AND p."seenAt" IS NULL AND p."targetDucklingId" = ${caller.id} AND ${isPendingAt(now, 'p')}
        AND EXISTS (SELECT 1 FROM "NotificationSettings" n WHERE n."ducklingId" = ${caller.id} AND n."showsSeen")) AS "isSeen",
      p."approval" IS NOT NULL AS "isSigned", h."asked", h."approved", h."approvedByRule", h."approvedAt", h."approvedParams",
      s."id" AS "shareId", s."withValues" AS "shareHasValues",
      o."id" AS "askerShareId", o."withValues" AS "askerShareHasValues",
      i."id" AS "invitationId", i."note" AS "invitationNote", i."createdAt" AS "invitationAt", used.*, waiting.*
    FROM "Peck" p
    LEFT JOIN "Certificate" c ON c."activeFor" = p."requesterDucklingId"
    LEFT JOIN "AskerHistory" h
      ON h."targetDucklingId" = p."targetDucklingId" AND h."askerId" = p."askerId" AND h."action" = p."action"
    LEFT JOIN "Invitation" i ON i."id" = p."invitationId" AND i."ducklingId" = ${caller.id} AND p."targetDucklingId" = ${caller.id}
    LEFT JOIN "SharedReceipt" s ON s."peckId" = p."id" AND s."ducklingId" = ${caller.id} AND s."endedAt" IS NULL
    LEFT JOIN "SharedReceipt" o ON o."peckId" = p."id" AND o."ducklingId" <> ${caller.id} AND o."endedAt" IS NULL
    LEFT JOIN LATERAL (
      SELECT count(*)::int AS "approvals", sum(e."uses")::int AS "approvalUses", max(e."lastUsedAt") AS "approvalUsedAt"
      FROM (SELECT "status", "action", "uses", "maxUses", "lastUsedAt", "grantRevokedAt", "grantExpiresAt", "grantEndHandled" FROM "Peck"
        WHERE "targetDucklingId" = p."targetDucklingId" AND "askerId" = p."askerId" ORDER BY "id" DESC LIMIT ${earlierMax}) e
      WHERE e."status" = 'approved' AND e."action" NOT IN (${testAction}, ${freeTextAction}) AND (e."uses" > 0 OR ${isExpiredGrant(now)})
    ) used ON ${isPendingAt(now, 'p')} AND p."targetDucklingId" = ${caller.id}
    LEFT JOIN LATERAL (
      SELECT count(*)::int AS "waiting" FROM "Peck" w
      WHERE w."targetDucklingId" = p."targetDucklingId" AND w."askerId" = p."askerId" AND w."action" = p."action"
        AND ${isPendingAt(now, 'w')} AND NOT w."blocked"
    ) waiting ON ${isPendingAt(now, 'p')} AND p."targetDucklingId" = ${caller.id}
    WHERE p."id" = ANY(${peckIds}::text[])
      AND (p."requesterDucklingId" = ${caller.id} OR (p."targetDucklingId" = ${caller.id} AND NOT p."blocked"))`
  const [opened] = rows
  if (opened?.isSeen && (opened.knowsAsker || opened.requesterDucklingId === caller.id))
    await db()
      .run`UPDATE "Peck" SET "seenAt" = ${now}::timestamptz WHERE "id" = ${opened.id} AND "seenAt" IS NULL`
  const used = rows.filter(({ uses }) => uses > 0).map(({ id }) => id)
  const lastUses = used.length === 0 ? new Map() : await lastUsesOf(db(), used)
  const asked = rows.filter(({ isAsked }) => isAsked)
  const before = await asBeforeOf(db(), caller.id, asked, now)
  const texts = await textsOf(rows)
  const items = rows.map((row, index) => ({ row, texts: texts[index] as Texts }))
  return inSlices(
    items,
    ({ row }) => row.params.length / 16 + 2 * (row.approvedParams?.length ?? 0),
    ({ row, texts }) => ({
      ...present(caller, row, texts, lastUses.get(row.id) ?? []),
      as_before: before.get(row.id) ?? null,
    }),
  )
}

function present(
  caller: DucklingContext['caller'],
  row: DetailsRow,
  { params, display, imitates }: Texts,
  lastUses: PeckDetailsInput['last_uses'],
): Omit<PeckDetailsInput, 'as_before'> {
  return {
    peck_id: row.id,
    grant_seconds: row.grantSeconds,
    requester_cert_id: row.certificateId,
    requester_blocked: row.isBlockedNow,
    first_contact: isTarget(caller, row) && isFirst(row, row),
    first_line: isTarget(caller, row) ? firstLineOf(row, storedRisk(row), !row.knowsAsker) : null,
    signed: row.isSigned,
    grant_revoked_at: row.grantRevokedAt,
    last_uses: lastUses,
    shared: presentLink(row.shareId, row.shareHasValues),
    shared_by_requester: isTarget(caller, row)
      ? presentLink(row.askerShareId, row.askerShareHasValues)
      : null,
    invitation: invitationOf(row),
    imitates_service: imitates,
    display,
    asker_history: isTarget(caller, row) ? historyOf(row, params) : null,
  }
}

function invitationOf({
  invitationId,
  invitationNote,
  invitationAt,
}: DetailsRow): PeckDetailsInput['invitation'] {
  if (invitationId === null || invitationAt === null) return null
  return { invitation_id: invitationId, note: invitationNote, created_at: invitationAt }
}

function presentLink(shareId: string | null, hasValues: boolean | null): PeckDetailsInput['shared'] {
  return shareId === null ? null : { url: shareUrl(shareId), values: hasValues ?? false }
}

function historyOf(row: DetailsRow, params: Params): PeckDetailsInput['asker_history'] {
  const { asked, approved, approvedByRule, approvedAt, approvedParams } = row
  const { waiting, approvals, approvalUses: uses, approvalUsedAt } = row
  if (asked === null) return null
  const earlier = JSON.parse(approvedParams ?? '{}') as Params
  return {
    asked,
    waiting: waiting ?? 0,
    approved: (approved ?? 0) - (approvedByRule ?? 0),
    approved_by_rule: approvedByRule ?? 0,
    approved_at: approvedAt,
    approved_params: approvedParams === null ? null : earlier,
    // Params of another request have no declared types of their own. Those of this request show both alike.
    approved_values:
      approvedParams === null
        ? []
        : sortValues(displayValues(earlier, typesOf(row)), { action: row.action, params: earlier }),
    used: approvals === null ? null : { approvals, uses: uses ?? 0, last_used_at: approvalUsedAt },
    differs: approvedParams === null ? [] : differences(params, earlier),
  }
}

/** Returns the names of the params whose values differ, or that only one side has. */
function differences(params: Record<string, unknown>, earlier: Record<string, unknown>): string[] {
  const textOf = (value: unknown) => (value === undefined ? '' : paramsText({ value }))
  const names = new Set([...Object.keys(params), ...Object.keys(earlier)])
  return [...names].filter((name) => textOf(params[name]) !== textOf(earlier[name]))
}
