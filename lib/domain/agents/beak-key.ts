/**
 * Beak keys: `beak_` + key id + `_` + secret (256 bits) + checksum (contract A). A wrong checksum is refused without asking
 * the database; what the outside learns is always the same E4001, the cause goes to the owner's audit log.
 */
import { db } from '@/lib/db/client'
import { type Authenticated, rateOf } from '@/lib/domain/sessions/authenticate'
import { noteSeen } from '@/lib/domain/sessions/seen'
import { distrustedCount, reloadIfDistrusted } from '@/lib/infrastructure/keys/signing-keys'
import { type AgentCaller, type KeyCaller, lowerTier, type Tier } from '@/lib/kernel/context'
import { fail } from '@/lib/kernel/failures'
import { newId } from '@/lib/kernel/ids'
import { checksum, equalDigests, randomSecret, sha256 } from '@/lib/kernel/secrets'
import type { KeyFault } from './refusals'
import { refuseKey } from './refuse-key'

export interface MintedKey {
  keyId: string
  /** The key itself: shown once, never stored. */
  beakKey: string
  secretHash: Uint8Array<ArrayBuffer>
}

/** Mints a key. Only `secretHash` may be stored. */
export function mintBeakKey(now: Date): MintedKey {
  const keyId = newId('key', now)
  const secret = randomSecret(32)
  const body = `beak_${keyId}_${secret}`
  return { keyId, beakKey: `${body}${checksum(body)}`, secretHash: new Uint8Array(sha256(secret)) }
}

/** The first characters of a key, by which its owner recognises it: they hold nothing secret. */
export function keyStart(keyId: string): string {
  return `beak_${keyId.slice(0, 12)}`
}

const form = /^(beak_(KEY-[0-9A-Z]{26})_([0-9A-Z]{52}))([0-9A-Z]{7})$/

interface KeyRow {
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
  limitRate: number | null
  limitBurst: number | null
  deletedAt: Date | null
  distrustedKeys: number
}

async function findKey(keyId: string): Promise<KeyRow | null> {
  const rows = await db().$queryRaw<KeyRow[]>`
    SELECT k."id" AS "keyId", k."secretHash", k."tierScope"::text AS "tierScope", k."expiresAt", k."retiredAt",
      a."id" AS "agentId", a."status"::text AS "status", a."capabilities", a."allowQueryKey",
      d."id" AS "ducklingId", d."trustTier"::text AS "trustTier", d."limitRate", d."limitBurst", d."deletedAt",
      ${distrustedCount} AS "distrustedKeys"
    FROM "BeakKey" k JOIN "Agent" a ON a."id" = k."agentId" JOIN "Duckling" d ON d."id" = a."ducklingId"
    WHERE k."id" = ${keyId}`
  return rows[0] ?? null
}

/** Why a key that exists is refused, or null when it is good. */
function faultOf(row: KeyRow, digest: Buffer, now: Date, inQuery: boolean): KeyFault | null {
  if (!equalDigests(digest, row.secretHash)) return 'wrong_secret'
  if (row.retiredAt !== null || row.deletedAt !== null) return 'revoked'
  if (row.expiresAt <= now) return 'expired'
  return inQuery && !row.allowQueryKey ? 'query_key_off' : null
}

export interface KeyAuthenticated extends Authenticated<KeyCaller> {
  /** The caller as a working agent; null until the agent is bonded, and while it is suspended. */
  agent: AgentCaller | null
}

/**
 * The key's caller. Throws `beak_key_invalid`, the same for every cause; the cause concerns the owner.
 */
export async function authenticateKey(
  presented: string,
  inQuery: boolean,
  now: Date,
): Promise<KeyAuthenticated> {
  const [, body = '', keyId = '', secret = '', sum] = form.exec(presented) ?? []
  if (sum === undefined || checksum(body) !== sum) throw fail('beak_key_invalid')
  // Also for an unknown key, which must take as long.
  const digest = sha256(secret)
  const row = await findKey(keyId)
  if (!row) throw fail('beak_key_invalid')
  const cause = faultOf(row, digest, now, inQuery)
  if (cause !== null) throw refuseKey(row, cause)
  // What the agent gets now must be signed with a key that is trusted now.
  await reloadIfDistrusted(row.distrustedKeys)
  noteSeen('key', row.keyId, now)
  const tier = lowerTier(row.tierScope, row.trustTier)
  const bonded = row.status === 'bonded'
  if (bonded) noteSeen('agent', row.agentId, now)
  return {
    caller: { type: 'key', id: row.ducklingId, agentId: row.agentId, keyId: row.keyId, tier },
    rate: rateOf(row),
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
