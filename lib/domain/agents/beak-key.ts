/**
 * Beak keys: `beak_` + key id + `_` + secret (256 bits) + checksum. A key with a wrong checksum is rejected without a
 * database query. The answer is always the same E4001. The cause is only in the owner's audit log.
 */
import { batched } from '@/lib/db/batch'
import { db } from '@/lib/db/client'
import { joinRow, type Sql, sql } from '@/lib/db/sql'
import { type Authenticated, rateOf, recordSeen } from '@/lib/domain/sessions/authenticate'
import { distrustedCount, reloadIfDistrusted } from '@/lib/infrastructure/keys/signing-keys'
import type { AgentCaller, Fails, KeyCaller } from '@/lib/kernel/request/context'
import type { Origin } from '@/lib/kernel/request/origin'
import { lowerTier, type Tier } from '@/lib/kernel/request/tier'
import { newId } from '@/lib/kernel/secrets/ids'
import { checksum, equalDigests, randomSecret, sha256 } from '@/lib/kernel/secrets/secrets'
import { type KeyFault, refuseKey } from './refusals'

export interface MintedKey {
  keyId: string
  /** The key itself. Shown once, never stored. */
  beakKey: string
  secretHash: Uint8Array<ArrayBuffer>
}

/** Generates a key. Only `secretHash` may be stored. */
export function mintBeakKey(now: Date): MintedKey {
  const keyId = newId('key', now)
  const secret = randomSecret(32)
  const body = `beak_${keyId}_${secret}`
  return { keyId, beakKey: `${body}${checksum(body)}`, secretHash: new Uint8Array(sha256(secret)) }
}

/** Returns the first characters of a key, which are not secret, so that its owner recognises the key. */
export function keyStart(keyId: string): string {
  return `beak_${keyId.slice(0, 12)}`
}

const keyPattern = /^(beak_(KEY-[0-9A-Z]{26})_([0-9A-Z]{52}))([0-9A-Z]{7})$/

/** A key with its agent and its account. */
export interface KeyRow {
  keyId: string
  secretHash: Uint8Array
  tierScope: Tier
  expiresAt: Date
  retiredAt: Date | null
  agentId: string
  status: string
  capabilities: string[]
  allowQueryKey: boolean
  ducklingId: string
  trustTier: Tier
  isProved: boolean
  limitRate: number | null
  limitBurst: number | null
  deletedAt: Date | null
  isSuspended: boolean
  distrustedKeys: number
}

/** The columns of a `KeyRow`, of the key `k`, its agent `a` and its account `d`. */
export const keyColumns: Sql = sql`k."id" AS "keyId", k."secretHash", k."tierScope", k."expiresAt", k."retiredAt",
      a."id" AS "agentId", a."status", a."capabilities", a."allowQueryKey",
      d."id" AS "ducklingId", d."trustTier", d."limitRate", d."limitBurst", d."deletedAt",
      d."emailVerifiedAt" IS NOT NULL AS "isProved", d."suspendedAt" IS NOT NULL AS "isSuspended",
      ${distrustedCount} AS "distrustedKeys"`

const findKey = batched<KeyRow>(
  ({ keyId }) => keyId,
  (keyIds) => db().rows`
    SELECT ${keyColumns}
    FROM "BeakKey" k ${joinRow('Agent', 'a', 'k."agentId"')} ${joinRow('Duckling', 'd', 'a."ducklingId"')}
    WHERE k."id" = ANY(${keyIds}::text[])`,
)

/** Returns why an existing key is rejected, or null when it is valid. */
function faultOf(row: KeyRow, digest: Buffer, now: Date, inQuery: boolean): KeyFault | null {
  if (!equalDigests(digest, row.secretHash)) return 'wrong_secret'
  if (row.retiredAt !== null || row.deletedAt !== null) return 'revoked'
  if (row.expiresAt <= now) return 'expired'
  return inQuery && !row.allowQueryKey ? 'query_key_off' : null
}

export interface KeyAuthenticated extends Authenticated<KeyCaller> {
  /** The caller as an agent; null unless the agent is bonded. */
  agent: AgentCaller | null
}

/** Returns the caller of a beak key. Throws `beak_key_invalid`, the same for every cause, and `account_suspended` for a valid key. Counts the cause for the owner's audit log. */
export async function authenticateKey(
  presented: string,
  inQuery: boolean,
  context: Origin & Fails<'beak_key_invalid' | 'account_suspended'>,
): Promise<KeyAuthenticated> {
  const { now } = context
  const [, body = '', keyId = '', secret = '', sum] = keyPattern.exec(presented) ?? []
  if (sum === undefined || checksum(body) !== sum) throw context.fail('beak_key_invalid')
  // Computed for an unknown key too, which must take the same time.
  const digest = sha256(secret)
  const row = await findKey(keyId)
  if (!row) throw context.fail('beak_key_invalid')
  const cause = faultOf(row, digest, now, inQuery)
  if (cause !== null) throw refuseKey(context, row, cause)
  return admitKey(row, context)
}

/** Returns the caller of a credential that is valid. Throws `account_suspended`. */
export async function admitKey(
  row: KeyRow,
  context: Origin & Fails<'account_suspended'>,
): Promise<KeyAuthenticated> {
  const { now } = context
  if (row.isSuspended) throw context.fail('account_suspended')
  // Whatever is signed for the agent now must be signed with a trusted key.
  await reloadIfDistrusted(row.distrustedKeys)
  recordSeen('key', row.keyId, now)
  const tier = lowerTier(row.tierScope, row.trustTier)
  const bonded = row.status === 'bonded'
  if (bonded) recordSeen('agent', row.agentId, now)
  return {
    caller: {
      type: 'key',
      id: row.ducklingId,
      agentId: row.agentId,
      keyId: row.keyId,
      tier,
      isBonded: bonded,
    },
    rate: rateOf(row),
    isProved: row.isProved,
    agent: bonded
      ? {
          type: 'agent',
          id: row.ducklingId,
          agentId: row.agentId,
          keyId: row.keyId,
          tier,
          capabilities: row.capabilities,
        }
      : null,
  }
}
