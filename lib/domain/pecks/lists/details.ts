import { db } from '@/lib/db/client'
import { displayOf, displayValues, typesOf } from '@/lib/domain/pecks/display/display'
import type { PeckDetailsInput } from '@/lib/domain/pecks/display/schema'
import { sortDisplay, sortValues } from '@/lib/domain/pecks/display/sort'
import { textsIn } from '@/lib/domain/pecks/display/value'
import { type Params, paramsText } from '@/lib/domain/pecks/params'
import { shareUrl } from '@/lib/domain/pecks/receipts/share-url'
import { imitatesService } from '@/lib/domain/pecks/risk/imitation'
import { isTarget, type PeckRow } from '@/lib/domain/pecks/rows'
import { isPendingAt, knowsAsker } from '@/lib/domain/pecks/state'
import type { DucklingContext } from '@/lib/kernel/context'
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
  approvedAt: Date | null
  approvedParams: string | null
  shareId: string | null
  shareHasValues: boolean | null
  askerShareId: string | null
  askerShareHasValues: boolean | null
  /** Only of pending pecks. */
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
      p."requesterDucklingId", p."targetDucklingId", p."grantRevokedAt", p."uses",
      c."id" AS "certificateId",
      EXISTS (SELECT 1 FROM "PeckBlock" b
        WHERE b."ducklingId" = ${caller.id} AND b."blockedDucklingId" = p."requesterDucklingId") AS "isBlockedNow",
      ${knowsAsker('p')} AS "knowsAsker",
      (${peckIds.length === 1}::boolean AND p."seenAt" IS NULL AND p."targetDucklingId" = ${caller.id} AND ${isPendingAt(now, 'p')}
        AND EXISTS (SELECT 1 FROM "NotificationSettings" n WHERE n."ducklingId" = ${caller.id} AND n."showsSeen")) AS "isSeen",
      p."approval" IS NOT NULL AS "isSigned", h."asked", h."approved", h."approvedAt", h."approvedParams",
      s."id" AS "shareId", s."withValues" AS "shareHasValues",
      o."id" AS "askerShareId", o."withValues" AS "askerShareHasValues", used.*
    FROM "Peck" p
    LEFT JOIN "Certificate" c ON c."activeFor" = p."requesterDucklingId"
    LEFT JOIN "AskerHistory" h
      ON h."targetDucklingId" = p."targetDucklingId" AND h."askerId" = p."askerId" AND h."action" = p."action"
    LEFT JOIN "SharedReceipt" s ON s."peckId" = p."id" AND s."ducklingId" = ${caller.id} AND s."endedAt" IS NULL
    LEFT JOIN "SharedReceipt" o ON o."peckId" = p."id" AND o."ducklingId" <> ${caller.id} AND o."endedAt" IS NULL
    LEFT JOIN LATERAL (
      SELECT count(*)::int AS "approvals", sum(e."uses")::int AS "approvalUses", max(e."lastUsedAt") AS "approvalUsedAt"
      FROM (SELECT "status", "uses", "lastUsedAt" FROM "Peck"
        WHERE "targetDucklingId" = p."targetDucklingId" AND "askerId" = p."askerId" ORDER BY "id" DESC LIMIT ${earlierMax}) e
      WHERE e."status" = 'approved'
    ) used ON ${isPendingAt(now, 'p')} AND p."targetDucklingId" = ${caller.id}
    WHERE p."id" = ANY(${peckIds}::text[])
      AND (p."requesterDucklingId" = ${caller.id} OR (p."targetDucklingId" = ${caller.id} AND NOT p."blocked"))`
  const [opened] = rows
  if (opened?.isSeen && (opened.knowsAsker || opened.requesterDucklingId === caller.id))
    await db()
      .run`UPDATE "Peck" SET "seenAt" = ${now}::timestamptz WHERE "id" = ${opened.id} AND "seenAt" IS NULL`
  const used = rows.filter(({ uses }) => uses > 0).map(({ id }) => id)
  const lastUses = used.length === 0 ? new Map() : await lastUsesOf(db(), used)
  return rows.map((row) => ({
    peck_id: row.id,
    grant_seconds: row.grantSeconds,
    requester_cert_id: row.certificateId,
    requester_blocked: row.isBlockedNow,
    first_contact: isTarget(caller, row) && !row.knowsAsker,
    signed: row.isSigned,
    grant_revoked_at: row.grantRevokedAt,
    last_uses: lastUses.get(row.id) ?? [],
    shared: presentLink(row.shareId, row.shareHasValues),
    shared_by_requester: isTarget(caller, row)
      ? presentLink(row.askerShareId, row.askerShareHasValues)
      : null,
    imitates_service: imitating(row),
    display: sortDisplay(displayOf(row), { action: row.action, params: JSON.parse(row.params) as Params }),
    asker_history: isTarget(caller, row) ? historyOf(row) : null,
  }))
}

/** Returns where words of the asker sound like the service. */
function imitating({ message, params }: DetailsRow): PeckDetailsInput['imitates_service'] {
  return [
    ...(imitatesService(message ?? '') ? (['message'] as const) : []),
    ...(textsIn(JSON.parse(params)).some(imitatesService) ? (['params'] as const) : []),
  ]
}

function presentLink(shareId: string | null, hasValues: boolean | null): PeckDetailsInput['shared'] {
  return shareId === null ? null : { url: shareUrl(shareId), values: hasValues ?? false }
}

function historyOf(row: DetailsRow): PeckDetailsInput['asker_history'] {
  const { asked, approved, approvedAt, approvedParams, approvals, approvalUses: uses, approvalUsedAt } = row
  if (asked === null) return null
  const [params, earlier] = [row.params, approvedParams].map((text) => JSON.parse(text ?? '{}') as Params)
  return {
    asked,
    approved: approved ?? 0,
    approved_at: approvedAt,
    approved_params: approvedParams === null ? null : (earlier ?? null),
    // Params of another request have no declared types of their own. Those of this request show both alike.
    approved_values:
      approvedParams === null
        ? []
        : sortValues(displayValues(earlier ?? {}, typesOf(row)), {
            action: row.action,
            params: earlier ?? {},
          }),
    used: approvals === null ? null : { approvals, uses: uses ?? 0, last_used_at: approvalUsedAt },
    differs: approvedParams === null ? [] : differences(params ?? {}, earlier ?? {}),
  }
}

/** Returns the names of the params whose values differ, or that only one side has. */
function differences(params: Record<string, unknown>, earlier: Record<string, unknown>): string[] {
  const textOf = (value: unknown) => (value === undefined ? '' : paramsText({ value }))
  const names = new Set([...Object.keys(params), ...Object.keys(earlier)])
  return [...names].filter((name) => textOf(params[name]) !== textOf(earlier[name]))
}
