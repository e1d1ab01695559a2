import { db, type Tx } from '@/lib/db/client'
import { numericDate, signToken } from '@/lib/infrastructure/keys/tokens'
import { config } from '@/lib/kernel/config'
import type { DucklingContext } from '@/lib/kernel/context'
import type { AuditHeadInput } from './schema'

/** The signed head of the caller's chain. */
export function auditHead(context: DucklingContext): Promise<AuditHeadInput> {
  return signHead(db(), context.caller.id, context.now)
}

/**
 * Signs the end of a duckling's chain as it is in `tx`. Whoever keeps such a head can show later that the log was changed
 * behind it. Every duckling has a chain: signing up is its first event.
 */
export async function signHead(tx: Tx, ducklingId: string, now: Date): Promise<AuditHeadInput> {
  const { seq, hash } = await tx.auditChain.findUniqueOrThrow({ where: { ducklingId } })
  const iat = numericDate(now)
  const claims = { aud: config().baseUrl, sub: ducklingId, seq, hash, iat }
  return {
    duckling_id: ducklingId,
    seq,
    hash,
    signed_at: new Date(iat * 1000),
    head: signToken('auditHead', claims, now),
  }
}
