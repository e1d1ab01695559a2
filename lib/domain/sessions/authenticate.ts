/**
 * Records when sessions, agents and keys were last used, so that authentication never waits for a write. Times are recorded in
 * memory. The worker writes them every few seconds, one statement for each table, and each row at most once a minute. An entry that is
 * written and not used again is forgotten after a minute.
 */

import { batched } from '@/lib/db/batch'
import { db } from '@/lib/db/client'
import { joinRow, type Sql, sql } from '@/lib/db/sql'
import { distrustedCount, isTrusted, reloadIfDistrusted } from '@/lib/infrastructure/keys/signing-keys'
import { type Claims, kidOf, verifyToken } from '@/lib/infrastructure/keys/tokens'
import { config } from '@/lib/kernel/config'
import type { Rate } from '@/lib/kernel/config/limits'
import type { SessionCaller } from '@/lib/kernel/request/context'
import type { Tier } from '@/lib/kernel/request/tier'
import { singleton } from '@/lib/kernel/runtime/singleton'
import { equalDigests, sha256 } from '@/lib/kernel/secrets/secrets'

type SeenKind = 'session' | 'agent' | 'key' | 'guard'

interface Seen {
  at: Date
  /** The time that was written last. */
  writtenAt: Date | null
}

/** Milliseconds between two writes of one row. */
const writePause = 60_000
const entriesMax = 50_000
const seen = () =>
  singleton('seen', () => ({
    session: new Map<string, Seen>(),
    agent: new Map<string, Seen>(),
    key: new Map<string, Seen>(),
    // The work of an agent at the MCP server. Only a coding agent with a guard has a row.
    guard: new Map<string, Seen>(),
  }))

/** Records a use in memory. */
export function recordSeen(kind: SeenKind, id: string, now: Date): void {
  const known = seen()[kind].get(id)
  if (known) known.at = now
  else seen()[kind].set(id, { at: now, writtenAt: null })
}

/** Returns the last use: the later one of the time in memory and the time in the row (`stored`). */
export function lastSeen(kind: SeenKind, id: string, stored: Date | null): Date | null {
  const at = seen()[kind].get(id)?.at
  return at !== undefined && (stored === null || at > stored) ? at : stored
}

/** Where the times of each kind are stored. */
const places: Record<SeenKind, { table: Sql; column: Sql; id?: Sql }> = {
  session: { table: sql`"Session"`, column: sql`"lastSeenAt"` },
  agent: { table: sql`"Agent"`, column: sql`"lastSeenAt"` },
  key: { table: sql`"BeakKey"`, column: sql`"lastUsedAt"` },
  guard: { table: sql`"Guard"`, column: sql`"workAt"`, id: sql`"agentId"` },
}

/** Writes the times that are due. Called by the worker. */
export async function writeSeen(now: Date): Promise<void> {
  for (const kind of ['session', 'agent', 'key', 'guard'] as const) await writeKind(kind, now)
}

async function writeKind(kind: SeenKind, now: Date): Promise<void> {
  const map = seen()[kind]
  const due = takeDue(map, now)
  if (due.length > 0) {
    const { table, column, id = sql`"id"` } = places[kind]
    const [ids, times] = [due.map(({ id }) => id), due.map(({ at }) => at)]
    // Another instance may have written a later use.
    await db().run`
      UPDATE ${table} t SET ${column} = v."at" FROM unnest(${ids}::text[], ${times}::timestamptz[]) AS v ("id", "at")
      WHERE t.${id} = v."id" AND (t.${column} IS NULL OR t.${column} < v."at")`
    // Set after the write, so that a failed write is repeated.
    for (const { entry, at } of due) entry.writtenAt = at
  }
  if (map.size > entriesMax) map.clear()
}

/** Returns what is to be written, and forgets what is written and was not used for a minute. */
function takeDue(map: Map<string, Seen>, now: Date): { id: string; entry: Seen; at: Date }[] {
  const due: ReturnType<typeof takeDue> = []
  for (const [id, entry] of map) {
    const { at, writtenAt } = entry
    if (writtenAt !== null && now.getTime() - writtenAt.getTime() < writePause) continue
    if (at === writtenAt) map.delete(id)
    else due.push({ id, entry, at })
  }
  return due
}

/**
 * Authenticates session tokens. A verified signature is cached by the SHA-256 of its token, which takes 2 µs instead of 100 µs. The
 * session's row is read for every request, so a sign-out takes effect with the next request.
 *
 * The row also has the digest of the token, so a token that a thief signed with a stolen key is rejected. The same statement counts
 * the distrusted keys, so every instance rejects a distrusted key from the next request on.
 */

/** How many verified tokens are cached. The oldest is removed first. */
const checkedMax = 10_000

interface CheckedToken {
  sessionId: string
  exp: number
  /** The key that signed it. */
  kid: string
}

const checked = () => singleton('sessions.checked', () => new Map<string, CheckedToken>())

/**
 * Returns the content of a token with a valid signature, form and time, or null. The caller has to check that its key is still
 * trusted.
 */
async function checkToken(token: string, hash: Buffer, now: Date): Promise<CheckedToken | null> {
  const known = checked().get(hash.toString('base64'))
  if (known) return known.exp > now.getTime() / 1000 ? known : null
  const claims = await verifyToken('access', token, config().baseUrl, now)
  const kid = kidOf(token)
  if (claims === null || kid === null || !isSession(claims)) return null
  const good = { sessionId: claims.sid, exp: claims.exp, kid }
  cacheToken(hash, good)
  return good
}

/** Caches a token with a valid signature: one that was verified, or that this process has signed. */
export function cacheToken(hash: Buffer, token: CheckedToken): void {
  if (checked().size >= checkedMax) {
    const oldest = checked().keys().next()
    if (!oldest.done) checked().delete(oldest.value)
  }
  checked().set(hash.toString('base64'), token)
}

/** Returns whether a token has all claims of a session token. */
function isSession(claims: Claims): claims is Claims & { sid: string; exp: number } {
  const texts = ['sub', 'sid', 'jti'].every((name) => typeof claims[name] === 'string')
  return texts && ['iat', 'exp', 'auth_time'].every((name) => typeof claims[name] === 'number')
}

interface SessionRow {
  id: string
  ducklingId: string
  amr: string[]
  authTime: Date
  passkeyAt: Date | null
  tokenHash: Uint8Array | null
  expiresAt: Date
  distrustedKeys: number
  trustTier: Tier
  isProved: boolean
  limitRate: number | null
  limitBurst: number | null
}

export interface Authenticated<C> {
  caller: C
  /** The account's own limit, where the operator has set one. */
  rate: Rate | null
  /** Whether the account has proved that it reads the mail of its address. */
  isProved: boolean
}

/** Finds a session that has not been revoked, with its account, which is neither closed nor suspended. */
const findSession = batched<SessionRow>(
  ({ id }) => id,
  (ids) => db().rows`
    SELECT s."id", s."ducklingId", s."amr", s."authTime", s."passkeyAt", s."tokenHash", s."expiresAt", d."trustTier", d."limitRate", d."limitBurst",
      d."emailVerifiedAt" IS NOT NULL AS "isProved",
      ${distrustedCount} AS "distrustedKeys"
    FROM "Session" s ${joinRow('Duckling', 'd', 's."ducklingId"')}
    WHERE s."id" = ANY(${ids}::text[]) AND s."revokedAt" IS NULL AND d."deletedAt" IS NULL AND d."suspendedAt" IS NULL`,
)

/** Returns the caller of a session token, or null when the token is not valid. */
export async function authenticateSession(
  token: string,
  now: Date,
): Promise<Authenticated<SessionCaller> | null> {
  const hash = sha256(token)
  const checkedToken = await checkToken(token, hash, now)
  if (checkedToken === null) return null
  const row = await findSession(checkedToken.sessionId)
  if (row === null || row.expiresAt <= now) return null
  // Sessions that are older than the column have no digest. They end within a day.
  if (row.tokenHash !== null && !equalDigests(row.tokenHash, hash)) return null
  await reloadIfDistrusted(row.distrustedKeys)
  if (!isTrusted(checkedToken.kid)) return null
  recordSeen('session', row.id, now)
  return {
    caller: {
      type: 'duckling',
      id: row.ducklingId,
      tier: row.trustTier,
      sessionId: row.id,
      authTime: row.authTime,
      amr: row.amr,
      passkeyAt: row.passkeyAt,
    },
    rate: rateOf(row),
    isProved: row.isProved,
  }
}

/** Returns the account's own limit, which is stored in two columns. */
export function rateOf(row: { limitRate: number | null; limitBurst: number | null }): Rate | null {
  return row.limitRate === null || row.limitBurst === null
    ? null
    : { perMinute: row.limitRate, burst: row.limitBurst }
}

/**
 * Returns when a session will expire, or null when it is no longer valid. For streams and long polls, which continue after
 * authentication. The end of a session signals its id.
 */
export async function sessionExpiry(sessionId: string, now: Date): Promise<Date | null> {
  const found = await db().session.findFirst({
    where: {
      id: sessionId,
      revokedAt: null,
      expiresAt: { gt: now },
      duckling: { deletedAt: null, suspendedAt: null },
    },
    select: { expiresAt: true },
  })
  return found?.expiresAt ?? null
}
