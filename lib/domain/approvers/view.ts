import { db, type Tx } from '@/lib/db/client'
import type { DucklingContext } from '@/lib/kernel/context'
import { type ApproverInput, presentApprover } from './schema'

/** Returns the approver of an account, or null. */
export async function findApprover(tx: Tx, ducklingId: string): Promise<ApproverInput | null> {
  const row = await tx.approver.findUnique({ where: { ducklingId } })
  return row && presentApprover(row)
}

/** Returns the approver of the caller, or null. */
export async function viewApprover({ caller }: DucklingContext): Promise<{ approver: ApproverInput | null }> {
  return { approver: await findApprover(db(), caller.id) }
}
