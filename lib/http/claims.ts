/**
 * The rows of idempotency keys. A row is claimed by the call that runs, and then has its answer. The key itself is not stored: the id of its
 * row and the key that encrypts the answer are derived from it.
 */
import { createHmac } from 'node:crypto'
import { canonicalText } from '@beak/proofs/canonical'
import { db, type Tx } from '@/lib/db/client'
import { sql } from '@/lib/db/sql'
import { beforeCommit, required } from '@/lib/db/transaction'
import { type Failure, fail } from '@/lib/kernel/request/failures'
import { day, minute, secondsAfter } from '@/lib/kernel/runtime/clock'
import { describeError, log } from '@/lib/kernel/runtime/log'
import { randomBytes } from '@/lib/kernel/secrets/random'
import { decrypt, deriveWithText, encrypt, equalDigests } from '@/lib/kernel/secrets/secrets'
import { limitKey } from './address'
import type { Answer, CallContext } from './call'
import type { Definition } from './definition'

/** How long an answer is stored. */
const storedSeconds = day
/** When the key of a call that ended without an answer, for instance in a crash, can be used again (contract A, Repeated requests). */
const claimSeconds = minute
/** When a call with the key of a running one should try again. */
const busySeconds = 1
/** Larger answers are not stored. Most have less than 2 KiB, lists of what ended with an agent can have more. */
const storedBytesMax = 64 * 1024

/** What a secret of the service and the key of a client derive. Who has only one of them can read nothing. */
interface Derived {
  /** Of the row. */
  id: Buffer
  fingerprint: Buffer
  encryptionKey: Buffer
}

/** Names the credential of a call, or its address and operation. A key of one scope means nothing in another. */
function scopeOf({ operationId }: Definition, { caller, ip }: CallContext): string {
  if (caller === null) return `address ${limitKey(ip)} ${operationId}`
  return caller.type === 'duckling' ? `session ${caller.sessionId}` : `key ${caller.keyId}`
}

/** Derives from each accepted secret, the current one first. */
function derive(
  definition: Definition,
  key: string,
  context: CallContext,
  body: unknown,
): [Derived, ...Derived[]] {
  // The parsed body in canonical form: white space, the order of fields, and defaults that are left out make no difference.
  const request = `${definition.operationId}\n${body === undefined ? '' : canonicalText(body)}`
  const split = (bytes: Buffer): Derived => ({
    id: bytes.subarray(0, 32),
    fingerprint: createHmac('sha256', bytes.subarray(32, 64)).update(request).digest(),
    encryptionKey: bytes.subarray(64),
  })
  const [current, ...previous] = deriveWithText('idempotency', `${scopeOf(definition, context)}\n${key}`, 96)
  return [split(current), ...previous.map(split)]
}

interface ClaimRow {
  isClaimed: boolean
  id: Uint8Array
  fingerprint: Uint8Array
  answer: Uint8Array | null
}

/** A row that this call may use. */
export interface Claim {
  id: Buffer
  /** Tells apart the calls that claim the same row one after another. */
  token: Buffer
  encryptionKey: Buffer
}

/** Claims the row of a key for `token` in one statement on a unique index, so of simultaneous calls one gets the row. Or finds the row. */
async function claimOrFind(
  [{ id, fingerprint }, previous]: [Derived, ...Derived[]],
  token: Buffer,
  { caller, now }: CallContext,
): Promise<ClaimRow | undefined> {
  // A row that was made with the previous secret counts as well (docs/pages/hosts/keys.md).
  const otherId = previous?.id ?? id
  const [row] = await db().rows<ClaimRow>`
    WITH claimed AS (
      INSERT INTO "IdempotencyKey" AS k ("id", "ducklingId", "fingerprint", "claim", "expiresAt")
      SELECT ${id}::bytea, ${caller?.id ?? null}::text, ${fingerprint}::bytea, ${token}::bytea, ${secondsAfter(now, claimSeconds)}::timestamptz
      WHERE NOT EXISTS (
        SELECT 1 FROM "IdempotencyKey" o
        WHERE o."id" = ${otherId}::bytea AND o."id" <> ${id}::bytea AND o."expiresAt" > ${now}::timestamptz)
      ON CONFLICT ("id") DO UPDATE SET
        "fingerprint" = EXCLUDED."fingerprint", "claim" = EXCLUDED."claim", "expiresAt" = EXCLUDED."expiresAt", "answer" = NULL
      WHERE k."expiresAt" <= ${now}::timestamptz
      RETURNING "id", "fingerprint"
    )
    SELECT true AS "isClaimed", "id", "fingerprint", NULL::bytea AS "answer" FROM claimed
    UNION ALL
    SELECT false, "id", "fingerprint", "answer" FROM "IdempotencyKey"
    WHERE "id" IN (${id}::bytea, ${otherId}::bytea) AND "expiresAt" > ${now}::timestamptz AND NOT EXISTS (SELECT 1 FROM claimed)`
  return row
}

/**
 * Claims the row of a key, or returns the answer that is stored there. Throws `idempotency_key_busy`, `idempotency_key_reused` or
 * `answer_not_stored`.
 */
export async function claimKey(
  definition: Definition,
  key: string,
  context: CallContext,
  body: unknown,
): Promise<Claim | Answer> {
  const all = derive(definition, key, context, body)
  const [{ id, encryptionKey }] = all
  const claim = { id, token: randomBytes(16), encryptionKey }
  const row = await claimOrFind(all, claim.token, context).catch(async (error: unknown) => {
    // The database may have claimed the row although its answer was lost. Otherwise a repeated call would have to wait for a minute.
    await releaseClaim(claim, context)
    throw error
  })
  if (row?.isClaimed) return claim
  const found = all.find((derived) => row !== undefined && equalDigests(derived.id, row.id))
  // Without a row: a simultaneous call has claimed it.
  if (row === undefined || found === undefined) throw busy()
  if (!equalDigests(row.fingerprint, found.fingerprint)) throw fail('idempotency_key_reused')
  if (row.answer === null) throw busy()
  return openAnswer(found.encryptionKey, row.answer)
}

function busy(): Failure {
  return fail('idempotency_key_busy', { retry_after: busySeconds })
}

const label = 'idempotency'

/** What is stored of an answer. `body` is null when it was too large. */
interface StoredAnswer {
  status: number
  headers: Answer['headers']
  body: string | null
}

function openAnswer(encryptionKey: Buffer, sealed: Uint8Array): Answer {
  const plain = decrypt(encryptionKey, sealed, label)
  if (plain === null) throw new Error('a stored answer cannot be decrypted')
  const answer = JSON.parse(plain.toString()) as StoredAnswer
  if (answer.body === null) throw fail('answer_not_stored')
  return answer
}

/** Stores the answer when `tx` commits. `tx` fails when another call has taken the claim over. */
export function storeAnswer(
  tx: Tx,
  { id, token, encryptionKey }: Claim,
  { body, ...rest }: Answer,
  now: Date,
): void {
  const isSmall = typeof body === 'string' && Buffer.byteLength(body) <= storedBytesMax
  const stored = JSON.stringify({ ...rest, body: isSmall ? body : null } satisfies StoredAnswer)
  const sealed = encrypt(encryptionKey, Buffer.from(stored), label)
  const statement = sql`
    WITH stored AS (
      UPDATE "IdempotencyKey" SET "answer" = ${sealed}::bytea, "expiresAt" = ${secondsAfter(now, storedSeconds)}::timestamptz
      WHERE "id" = ${id}::bytea AND "claim" = ${token}::bytea RETURNING 1
    )
    SELECT ${required(sql`EXISTS (SELECT 1 FROM stored)`, 'the call still has its claim')}`
  beforeCommit(tx, statement, { refused: busy })
}

/** Releases the key of a call that has failed, unless its answer was stored. If that fails too, the key is free when its claim expires. */
export async function releaseClaim({ id, token }: Claim, { requestId }: CallContext): Promise<void> {
  try {
    await db().run`
      DELETE FROM "IdempotencyKey" WHERE "id" = ${id}::bytea AND "claim" = ${token}::bytea AND "answer" IS NULL`
  } catch (error) {
    log().warn({ request_id: requestId, error: describeError(error) }, 'an idempotency key was not released')
  }
}
