import { db } from '@/lib/db/client'
import { displayValues, typesOf } from '@/lib/domain/pecks/display/display'
import { sortValues } from '@/lib/domain/pecks/display/sort'
import { type Params, paramsText } from '@/lib/domain/pecks/params'
import { shareUrl } from '@/lib/domain/pecks/receipts/share-url'
import { firstLineOf } from '@/lib/domain/pecks/risk/first-line'
import { storedRisk } from '@/lib/domain/pecks/risk/read'
import { isTarget, type PeckRow } from '@/lib/domain/pecks/rows'
import { isPendingAt, knowsAsker } from '@/lib/domain/pecks/state'
import type { DucklingContext } from '@/lib/kernel/context'
import { inSlices } from '@/lib/kernel/slices'
import { testAction } from '@/lib/kernel/test-request'
import type { PeckDetailsInput } from './details-schema'
import { type Texts, textsOf } from './shown'
import { lastUsesOf } from './uses'

type DetailsRow = PeckRow & {
  certificateId: string | null
  isBlockedNow: boolean
  isSigned: boolean
  knowsAsker: boolean
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
 * the request; GET /beak/agent/verify publishes the certificate of an agent's operator (contract C, Pecks and grants).
 */
export async function peckDetails(
  { caller, now }: DucklingContext,
  peckIds: string[],
): Promise<PeckDetailsInput[]> {
  const rows = await db().rows<DetailsRow>`
    SELECT p."id", p."action", p."scope", p."params", p."paramTypes", p."message", p."grantSeconds", p."blocked",
      p."riskLevel", p."riskReasons",
      p."requesterDucklingId", p."targetDucklingId", p."grantRevokedAt", p."uses",
      c."id" AS "certificateId",
      EXISTS (SELECT 1 FROM "PeckBlock" b
        WHERE b."ducklingId" = ${caller.id} AND b."blockedDucklingId" = p."requesterDucklingId") AS "isBlockedNow",
      ${knowsAsker('p')} AS "knowsAsker",
      (${peckIds.length === 1}::boolean AND p."seenAt" IS NULL AND p."targetDucklingId" = ${caller.id} AND ${isPendingAt(now, 'p')}
        AND EXISTS (SELECT 1 FROM "NotificationSettings" n WHERE n."ducklingId" = ${caller.id} AND n."showsSeen")) AS "isSeen",
      p."approval" IS NOT NULL AS "isSigned", h."asked", h."approved", h."approvedByRule", h."approvedAt", h."approvedParams",
      s."id" AS "shareId", s."withValues" AS "shareHasValues",
      o."id" AS "askerShareId", o."withValues" AS "askerShareHasValues", used.*, waiting.*
    FROM "Peck" p
    LEFT JOIN "Certificate" c ON c."activeFor" = p."requesterDucklingId"
    LEFT JOIN "AskerHistory" h
      ON h."targetDucklingId" = p."targetDucklingId" AND h."askerId" = p."askerId" AND h."action" = p."action"
    LEFT JOIN "SharedReceipt" s ON s."peckId" = p."id" AND s."ducklingId" = ${caller.id} AND s."endedAt" IS NULL
    LEFT JOIN "SharedReceipt" o ON o."peckId" = p."id" AND o."ducklingId" <> ${caller.id} AND o."endedAt" IS NULL
    LEFT JOIN LATERAL (
      SELECT count(*)::int AS "approvals", sum(e."uses")::int AS "approvalUses", max(e."lastUsedAt") AS "approvalUsedAt"
      FROM (SELECT "status", "action", "uses", "lastUsedAt", "grantRevokedAt", "grantExpiresAt" FROM "Peck"
        WHERE "targetDucklingId" = p."targetDucklingId" AND "askerId" = p."askerId" ORDER BY "id" DESC LIMIT ${earlierMax}) e
      WHERE e."status" = 'approved' AND e."action" <> ${testAction}
        AND (e."uses" > 0 OR (e."grantRevokedAt" IS NULL AND e."grantExpiresAt" <= ${now}::timestamptz))
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
  const texts = await textsOf(rows)
  const items = rows.map((row, index) => ({ row, texts: texts[index] as Texts }))
  return inSlices(
    items,
    ({ row }) => row.params.length / 16 + 2 * (row.approvedParams?.length ?? 0),
    ({ row, texts }) => present(caller, row, texts, lastUses.get(row.id) ?? []),
  )
}

function present(
  caller: DucklingContext['caller'],
  row: DetailsRow,
  { params, display, imitates }: Texts,
  lastUses: PeckDetailsInput['last_uses'],
): PeckDetailsInput {
  return {
    peck_id: row.id,
    grant_seconds: row.grantSeconds,
    requester_cert_id: row.certificateId,
    requester_blocked: row.isBlockedNow,
    first_contact: isTarget(caller, row) && !row.knowsAsker,
    first_line: isTarget(caller, row) ? firstLineOf(row, storedRisk(row), !row.knowsAsker) : null,
    signed: row.isSigned,
    grant_revoked_at: row.grantRevokedAt,
    last_uses: lastUses,
    shared: presentLink(row.shareId, row.shareHasValues),
    shared_by_requester: isTarget(caller, row)
      ? presentLink(row.askerShareId, row.askerShareHasValues)
      : null,
    imitates_service: imitates,
    display,
    asker_history: isTarget(caller, row) ? historyOf(row, params) : null,
  }
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
