import { db } from '@/lib/db/client'
import { displayOf, displayValues, typesOf } from '@/lib/domain/pecks/display/display'
import type { PeckDetailsInput } from '@/lib/domain/pecks/display/schema'
import { sortDisplay, sortValues } from '@/lib/domain/pecks/display/sort'
import { paramsText } from '@/lib/domain/pecks/params'
import { shareUrl } from '@/lib/domain/pecks/receipts/share-url'
import { isTarget, type PeckRow } from '@/lib/domain/pecks/rows'
import type { DucklingContext } from '@/lib/kernel/context'

type DetailsRow = PeckRow & {
  certificateId: string | null
  isBlockedNow: boolean
  isSigned: boolean
  asked: number | null
  approved: number | null
  approvedAt: Date | null
  approvedParams: string | null
  shareId: string | null
  shareHasValues: boolean | null
  askerShareId: string | null
  askerShareHasValues: boolean | null
}

/**
 * Returns details of those pecks that the caller sent or received. The target sees the certificate of the person behind
 * the request; GET /beak/agent/verify publishes the certificate of an agent's operator (contract C, Pecks and grants).
 */
export async function peckDetails(
  { caller }: DucklingContext,
  peckIds: string[],
): Promise<PeckDetailsInput[]> {
  const rows = await db().rows<DetailsRow>`
    SELECT p."id", p."action", p."scope", p."params", p."paramTypes", p."grantSeconds", p."blocked",
      p."requesterDucklingId", p."targetDucklingId", p."grantRevokedAt",
      c."id" AS "certificateId",
      EXISTS (SELECT 1 FROM "PeckBlock" b
        WHERE b."ducklingId" = ${caller.id} AND b."blockedDucklingId" = p."requesterDucklingId") AS "isBlockedNow",
      p."approval" IS NOT NULL AS "isSigned", h."asked", h."approved", h."approvedAt", h."approvedParams",
      s."id" AS "shareId", s."withValues" AS "shareHasValues",
      o."id" AS "askerShareId", o."withValues" AS "askerShareHasValues"
    FROM "Peck" p
    LEFT JOIN "Certificate" c ON c."activeFor" = p."requesterDucklingId"
    LEFT JOIN "AskerHistory" h
      ON h."targetDucklingId" = p."targetDucklingId" AND h."askerId" = p."askerId" AND h."action" = p."action"
    LEFT JOIN "SharedReceipt" s ON s."peckId" = p."id" AND s."ducklingId" = ${caller.id} AND s."endedAt" IS NULL
    LEFT JOIN "SharedReceipt" o ON o."peckId" = p."id" AND o."ducklingId" <> ${caller.id} AND o."endedAt" IS NULL
    WHERE p."id" = ANY(${peckIds}::text[])
      AND (p."requesterDucklingId" = ${caller.id} OR (p."targetDucklingId" = ${caller.id} AND NOT p."blocked"))`
  return rows.map((row) => ({
    peck_id: row.id,
    grant_seconds: row.grantSeconds,
    requester_cert_id: row.certificateId,
    requester_blocked: row.isBlockedNow,
    signed: row.isSigned,
    grant_revoked_at: row.grantRevokedAt,
    shared: presentLink(row.shareId, row.shareHasValues),
    shared_by_requester: isTarget(caller, row)
      ? presentLink(row.askerShareId, row.askerShareHasValues)
      : null,
    display: sortDisplay(displayOf(row)),
    asker_history: isTarget(caller, row) ? historyOf(row) : null,
  }))
}

function presentLink(shareId: string | null, hasValues: boolean | null): PeckDetailsInput['shared'] {
  return shareId === null ? null : { url: shareUrl(shareId), values: hasValues ?? false }
}

function historyOf(row: DetailsRow): PeckDetailsInput['asker_history'] {
  const { asked, approved, approvedAt, approvedParams } = row
  if (asked === null) return null
  const [params, earlier] = [row.params, approvedParams].map(
    (text) => JSON.parse(text ?? '{}') as Record<string, unknown>,
  )
  return {
    asked,
    approved: approved ?? 0,
    approved_at: approvedAt,
    approved_params: approvedParams === null ? null : (earlier ?? null),
    // Params of another request have no declared types of their own. Those of this request show both alike.
    approved_values: approvedParams === null ? [] : sortValues(displayValues(earlier ?? {}, typesOf(row))),
    differs: approvedParams === null ? [] : differences(params ?? {}, earlier ?? {}),
  }
}

/** Returns the names of the params whose values differ, or that only one side has. */
function differences(params: Record<string, unknown>, earlier: Record<string, unknown>): string[] {
  const textOf = (value: unknown) => (value === undefined ? '' : paramsText({ value }))
  const names = new Set([...Object.keys(params), ...Object.keys(earlier)])
  return [...names].filter((name) => textOf(params[name]) !== textOf(earlier[name]))
}
