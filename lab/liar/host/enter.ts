/** What the host puts into the log of everybody, so that a forged receipt can show entries. The entries have no owner, so no list has them. */

import { decisionDigest, type EntryKind, revocationDigest, usageDigest } from '@beak/proofs/log/entry'
import type { Logged, OutcomeClaims, OutcomeFile } from '@beak/proofs/receipts/outcome-schema'
import { db } from '@/lib/db/client'
import { proveEnrolment, proveLogged } from '@/lib/domain/tlog/prove-logged'
import { numericDate } from '@/lib/infrastructure/keys/tokens'
import { readClock } from '@/lib/kernel/runtime/clock'
import type { World } from '../people/world'
import { sign, type treeOf } from './forge'
import { type Host, logNow } from './start'

export const claimsOf = ({ jws }: OutcomeFile): OutcomeClaims =>
  JSON.parse(Buffer.from(jws.split('.')[1] ?? '', 'base64url').toString())

/** Enters an event of a peck. The entry has no owner, so no list has it. */
export async function enter(
  kind: EntryKind,
  { digest, subjectId }: { digest: string; subjectId: string },
): Promise<void> {
  const bytes = new Uint8Array(Buffer.from(digest, 'hex'))
  await db().logPending.create({ data: { kind, digest: bytes, subjectId } })
}

/** Returns a receipt with what the log has about it. First enters what the log lacks: the host does its best. */
export async function withEntries(host: Host, receipt: OutcomeFile): Promise<OutcomeFile> {
  const claims = claimsOf(receipt)
  const { statement, decided_at: decidedAt, last_used_at: usedAt, ended_at: endedAt, uses } = claims
  const subjectId = receipt.peck_id
  const found = await proveLogged(db(), subjectId, claims)
  if (decidedAt !== null && !found)
    await enter('decided', { digest: decisionDigest({ statement, decidedAt }), subjectId })
  if (usedAt !== null && !found?.used)
    await enter('used', { digest: usageDigest(statement, { uses, usedAt }), subjectId })
  if (claims.outcome === 'revoked' && endedAt !== null && !found?.revoked)
    await enter('revoked', { digest: revocationDigest(statement, endedAt), subjectId })
  await logNow(host)
  return withLogged(receipt, await proveLogged(db(), subjectId, claims))
}

/** Returns a receipt that the service signs again with another `logged`. */
export function withLogged(receipt: OutcomeFile, logged: Logged | null): OutcomeFile {
  const { statement, passkey, enrolment, values = null } = receipt
  const rule = 'rule' in receipt && receipt.rule != null ? { rule: receipt.rule } : {}
  const { logged: _, ...claims } = claimsOf(receipt) as OutcomeClaims & { logged?: string }
  const parts = { statement, passkey, enrolment, values, logged, ...rule }
  return sign(parts, { ...claims, iat: numericDate(readClock()) })
}

/** Returns the proof that the log has a passkey of Nadia, or null when it has none at that size. */
export async function enrolmentOf(
  { nadia }: World,
  { credentialId, publicKey }: { credentialId: string; publicKey: string },
  log: ReturnType<typeof treeOf>,
) {
  const { id: passkeyId } = await db().passkey.findUniqueOrThrow({ where: { credentialId } })
  return proveEnrolment(db(), { ducklingId: nadia.id, passkeyId, credentialId, publicKey, log })
}
