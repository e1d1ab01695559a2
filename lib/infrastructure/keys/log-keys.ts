/**
 * The keys that sign checkpoints of the transparency log. They are read from the database for each signature, at most once a minute,
 * so a distrusted key never signs again on any instance.
 */

import { createHmac, type KeyObject } from 'node:crypto'
import { db, type Tx } from '@/lib/db/client'
import { lockName, transaction } from '@/lib/db/transaction'
import { readClock } from '@/lib/kernel/runtime/clock'
import { singleton } from '@/lib/kernel/runtime/singleton'
import { randomBytes } from '@/lib/kernel/secrets/random'
import { seal, unseal } from '@/lib/kernel/secrets/secrets'
import { addKey, keysLock, loadKey } from './stored-keys'

export interface LogPublicKey {
  /** RFC 7638 thumbprint. */
  kid: string
  /** The public key: base64url of its 32 bytes. */
  x: string
}

export interface LogKey extends LogPublicKey {
  privateKey: KeyObject
}

/** Newest first. Ids break ties, so that every instance picks the same key. */
const newestFirst = [{ createdAt: 'desc' }, { kid: 'desc' }] as const

async function findLogKey(tx: Tx): Promise<LogKey | null> {
  const row = await tx.signingKey.findFirst({
    where: { purpose: 'log', distrustedAt: null, privateKey: { not: null } },
    orderBy: [...newestFirst],
  })
  if (row === null) return null
  const { kid, jwk, privateKey } = loadKey(row)
  if (privateKey === null) throw new Error(`the log key ${kid} has no private key`)
  return { kid, x: jwk.x, privateKey }
}

async function makeLogKey(tx: Tx, now: Date): Promise<LogKey> {
  await lockName(tx, keysLock)
  if ((await findLogKey(tx)) === null) await addKey(tx, 'log', now)
  const made = await findLogKey(tx)
  if (made === null) throw new Error('the new log key is missing')
  return made
}

/**
 * Returns the newest trusted key, which signs the log. Makes the first key. Inside a transaction pass its `tx`: a new key exists only
 * after the transaction commits.
 */
export async function logKey(now: Date, tx?: Tx): Promise<LogKey> {
  const found = await findLogKey(tx ?? db())
  if (found !== null) return found
  return tx ? makeLogKey(tx, now) : transaction((own) => makeLogKey(own, now))
}

/** Returns every trusted public key of the log, newest first. Includes retired keys, which verify old checkpoints. */
export async function logPublicKeys(tx: Tx = db()): Promise<LogPublicKey[]> {
  const rows = await tx.signingKey.findMany({
    where: { purpose: 'log', distrustedAt: null },
    orderBy: [...newestFirst],
  })
  return rows.map((row) => ({ kid: row.kid, x: loadKey({ ...row, privateKey: null }).jwk.x }))
}

/**
 * The key of the marks in the transparency log (docs/audit/format.md). It is in the database, encrypted with `BEAK_SECRET`, and so in every
 * backup: a restored service recognises the marks of its own log, even when its secret has changed since.
 */

const id = 'marks'
const holder = () => singleton('mark-key', () => ({ key: null as Buffer | null }))

/** Makes the key unless another instance has made it at the same time. */
async function makeKey(): Promise<void> {
  const sealed = new Uint8Array(seal(randomBytes(32), id))
  await db().run`
    INSERT INTO "LogMarkKey" ("id", "sealed", "createdAt") VALUES (${id}, ${sealed}, ${readClock()}::timestamptz)
    ON CONFLICT ("id") DO NOTHING`
}

/** Loads the key on the first call, and makes it at the first start. All instances share it. Await it before the process serves. */
export async function prepareMarkKey(): Promise<void> {
  const current = holder()
  if (current.key !== null) return
  const read = () => db().logMarkKey.findUnique({ where: { id } })
  const row = (await read()) ?? (await makeKey().then(read))
  if (row === null) throw new Error('the key of the marks was not stored')
  current.key = unseal(row.sealed, id)
}

export const hasMarkKey = (): boolean => holder().key !== null

/** Returns the HMAC-SHA-256 of a text, in hex. */
export function markOf(text: string): string {
  const { key } = holder()
  if (key === null) throw new Error('prepareMarkKey() was not awaited')
  return createHmac('sha256', key).update(text).digest('hex')
}
