/**
 * The name (origin) and the keys of this service's transparency log.
 *
 * The log keeps its name: a change of `BASE_URL` does not change it. The first checkpoint stores the name in `LogName`, and
 * `operator log continue --new` adds another one. While `BASE_URL` is local, no name is stored and the address decides. All instances read
 * the name from the database, as a part of the statements that need it.
 */

import { formatVerifierKey, type VerifierKey, verifierKey } from '@beak/proofs/log/verifier-key'
import { db, type Tx } from '@/lib/db/client'
import { type Sql, sql } from '@/lib/db/sql'
import { logPublicKeys } from '@/lib/infrastructure/keys/log-keys'
import { config, isLoopback } from '@/lib/kernel/config'

/** Returns the name that a log gets at the present address: the address without a scheme (C2SP tlog-checkpoint). */
function originOfAddress(): string {
  return `${config().baseUrl.replace(/^https?:\/\//, '')}/.well-known/tlog`
}

/**
 * Returns a condition on `LogName`: whether the row counts at the present address. A name of a local address must not become the name of a
 * public log, and a copy of a public log's database must not sign under its name on the computer of a developer.
 */
function countsHere(): Sql {
  return isLoopback(config().baseUrl)
    ? sql`starts_with("origin", ${`${originOfAddress()}/`}::text)`
    : sql`"origin" !~ '^(localhost|[^/]*\\.localhost|127\\.[^/]*|\\[::1\\])(:[0-9]+)?/'`
}

/** Returns an expression with the present name of the log. */
export function originSql(): Sql {
  return sql`COALESCE((SELECT "origin" FROM "LogName" WHERE ${countsHere()} ORDER BY "number" DESC LIMIT 1), ${originOfAddress()}::text)`
}

/** Returns the present name of the log. */
export async function logOrigin(tx: Tx = db()): Promise<string> {
  const [row] = await tx.rows<{ origin: string }>`SELECT ${originSql()} AS "origin"`
  if (row === undefined) throw new Error('the name of the log is missing')
  return row.origin
}

/** Returns every name of the log, the present one first. */
async function logOrigins(tx: Tx): Promise<string[]> {
  const rows = await tx.rows<{ origin: string }>`
    SELECT "origin" FROM "LogName" WHERE ${countsHere()} ORDER BY "number" DESC`
  const origins = rows.map(({ origin }) => origin)
  const isUnnamed = isLoopback(config().baseUrl) || origins.length === 0
  return isUnnamed ? [...origins, originOfAddress()] : origins
}

/**
 * Stores the name of a log that has none, before its first checkpoint is signed. The caller holds the lock of the writer. A local log gets
 * no name.
 */
export async function keepName(tx: Tx, origin: string, now: Date): Promise<void> {
  if (isLoopback(config().baseUrl)) return
  await tx.run`
    INSERT INTO "LogName" ("number", "origin", "createdAt")
    SELECT COALESCE(max("number"), 0) + 1, ${origin}::text, ${now}::timestamptz FROM "LogName"
    ON CONFLICT ("origin") DO NOTHING`
}

/** Returns the verifier key for a public key of the log: base64url of its 32 bytes. */
export function logVerifierKey(origin: string, x: string): VerifierKey {
  return verifierKey(origin, 'ed25519', Buffer.from(x, 'base64url'))
}

/** Returns the trusted verifier keys of a name of the log as text, newest first. */
export async function logVerifierKeysOf(origin: string, tx?: Tx): Promise<string[]> {
  const keys = await logPublicKeys(tx)
  return keys.map(({ x }) => formatVerifierKey(logVerifierKey(origin, x)))
}

/** Returns the trusted verifier keys of the log as text: those of the present name first, and of each name the newest first. */
export async function logVerifierKeys(tx: Tx = db()): Promise<string[]> {
  const [origins, keys] = [await logOrigins(tx), await logPublicKeys(tx)]
  return origins.flatMap((origin) => keys.map(({ x }) => formatVerifierKey(logVerifierKey(origin, x))))
}

/** The policy of the log (C2SP tlog-policy): whose signatures a checkpoint should have. */

/** Returns the policy: the trusted keys of the log, and a quorum of all configured witnesses. */
export async function witnessPolicy(): Promise<string> {
  // Only the present name, because a policy must not have one public key twice.
  const logs = (await logVerifierKeysOf(await logOrigin())).map((vkey) => `log ${vkey}`)
  // Names in a policy must be unique, and the names of keys need not be.
  const witnesses = config().tlogWitnesses.map(({ vkey, url }, place) => ({
    name: `w${place + 1}`,
    line: `witness w${place + 1} ${vkey} ${url}`,
  }))
  const names = witnesses.map(({ name }) => name)
  const quorum =
    names.length === 0 ? ['quorum none'] : [`group witnesses all ${names.join(' ')}`, 'quorum witnesses']
  return [...logs, ...witnesses.map(({ line }) => line), ...quorum].map((line) => `${line}\n`).join('')
}
