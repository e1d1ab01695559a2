import { db, type Tx } from '@/lib/db/client'
import { numericDate, signToken } from '@/lib/infrastructure/keys/tokens'
import { config } from '@/lib/kernel/config'
import type { DucklingContext } from '@/lib/kernel/context'
import type { AuditHeadInput } from './schema'

/** Returns the signed head of the caller's audit log. */
export function auditHead(context: DucklingContext): Promise<AuditHeadInput> {
  return signHead(db(), context.caller.id, context.now)
}

/**
 * Signs the newest event of a duckling's audit log. With this head, anybody can prove later that the events up to it were changed.
 * Every duckling has an audit log, because signing up is an event.
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
