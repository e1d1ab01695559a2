/** Shapes of the approver on the wire. */

import { z } from 'zod'
import { db, type Tx } from '@/lib/db/client'
import type { Approver as ApproverRow } from '@/lib/db/generated/client'
import type { DucklingContext } from '@/lib/kernel/request/context'
import { instant } from '@/lib/kernel/request/fields'

export const covers = z.enum(['high', 'all']).meta({
  description: '`high`: it decides about high risks. `all`: it decides about every request.',
})

export const approverOrigin = z
  .string()
  .max(300)
  .meta({ description: 'Scheme, host and perhaps port of the page, such as `https://approve.example`.' })

export const Approver = z
  .object({
    origin: z.string(),
    covers,
    created_at: instant,
    removes_at: instant.nullable().meta({ description: 'When it is removed, if that was asked for.' }),
  })
  .meta({ id: 'Approver' })

export type ApproverInput = z.input<typeof Approver>

/** What the service sends to the approver for a new passkey (docs/approver.md, Messages). */
export const ApproverEnrolment = z
  .object({ origin: z.string(), issuer: z.string(), duckling_id: z.string(), challenge: z.string() })
  .meta({ id: 'ApproverEnrolment' })

export function presentApprover(row: ApproverRow): ApproverInput {
  return { origin: row.origin, covers: row.covers, created_at: row.createdAt, removes_at: row.removesAt }
}

/** Returns the approver of an account, or null. */
export async function findApprover(tx: Tx, ducklingId: string): Promise<ApproverInput | null> {
  const row = await tx.approver.findUnique({ where: { ducklingId } })
  return row && presentApprover(row)
}

/** Returns the approver of the caller, or null. */
export async function viewApprover({ caller }: DucklingContext): Promise<{ approver: ApproverInput | null }> {
  return { approver: await findApprover(db(), caller.id) }
}
