/**
 * The keys that sign tokens, cached from the database, which all instances share. The newest key that has been published long enough
 * signs. All trusted keys verify, so that a rotation ends no session and old certificates can be verified. A distrusted key neither
 * signs nor verifies.
 *
 * Instances load new keys once a minute, but must stop using a distrusted key at once. So each statement that authenticates a caller
 * or reads the account of a new session also counts the distrusted keys (`distrustedCount`), and its caller passes the number to
 * `reloadIfDistrusted`. Other code that signs or publishes without a caller calls `refreshKeys`.
 */
import type { KeyObject } from 'node:crypto'
import { db, Prisma, type Tx } from '@/lib/db/client'
import { lockName, transaction } from '@/lib/db/transaction'
import { readClock, secondsAfter } from '@/lib/kernel/runtime/clock'
import { singleton } from '@/lib/kernel/runtime/singleton'
import { hasMarkKey, prepareMarkKey } from './log-keys'
import { hasPushKey, preparePushKey } from './push-key'
import { addKey, keysLock, type LoadedKey, loadKey, type PublicJwk } from './stored-keys'

/** The cached keys. `total` and `distrusted` count keys of every purpose. `distrusted` never decreases. */
interface KeyRing {
  /** Trusted keys that sign tokens, oldest first. */
  keys: Map<string, LoadedKey>
  distrustedKeys: { kid: string; from: Date }[]
  total: number
  distrusted: number
}

/** Seconds between the publication of a key and its first signature. Every instance loads new keys once a minute. */
export const publicationSeconds = 120

const ring = () =>
  singleton('signing-keys', () => ({
    current: null as KeyRing | null,
    loading: null as Promise<void> | null,
  }))

const readRows = (tx: Tx) => tx.signingKey.findMany({ orderBy: [{ createdAt: 'asc' }, { kid: 'asc' }] })

/** Reads all keys. Caches the result, unless a newer read with more distrusted keys has finished before. */
async function loadRing(tx: Tx): Promise<KeyRing> {
  const rows = await readRows(tx)
  const tokenRows = rows.filter(({ purpose }) => purpose === 'token')
  const trusted = tokenRows.filter(({ distrustedAt }) => distrustedAt === null)
  const read: KeyRing = {
    keys: new Map(trusted.map((row) => [row.kid, loadKey(row)])),
    distrustedKeys: tokenRows.flatMap(({ kid, distrustedFrom }) =>
      distrustedFrom === null ? [] : [{ kid, from: distrustedFrom }],
    ),
    total: rows.length,
    distrusted: rows.filter(({ distrustedAt }) => distrustedAt !== null).length,
  }
  const { current } = ring()
  if (current !== null && current.distrusted > read.distrusted) return current
  ring().current = read
  return read
}

async function makeFirstKey(): Promise<void> {
  await transaction(async (tx) => {
    await lockName(tx, keysLock)
    const trusted = { purpose: 'token', distrustedAt: null } as const
    if ((await tx.signingKey.count({ where: trusted })) === 0) await addKey(tx, 'token', readClock())
  })
}

/** Loads the keys again, for instance after a rotation. Simultaneous callers share one read. */
export async function reloadKeys(): Promise<void> {
  const state = ring()
  state.loading ??= (async () => {
    if ((await loadRing(db())).keys.size > 0) return
    await makeFirstKey()
    await loadRing(db())
  })().finally(() => {
    state.loading = null
  })
  await state.loading
}

/** Loads the keys on the first call. Await it before the process serves, so that signing is synchronous. */
export async function prepareKeys(): Promise<void> {
  if (ring().current === null) await reloadKeys()
  await prepareMarkKey()
  await preparePushKey()
}

/** Whether `prepareKeys` has finished. */
export function areKeysLoaded(): boolean {
  return ring().current !== null && hasMarkKey() && hasPushKey()
}

function keyRing(): KeyRing {
  const { current } = ring()
  if (current === null) throw new Error('the signing keys are not loaded')
  return current
}

/** SQL that counts the distrusted keys, for statements that authenticate a caller. The table has only a few rows. */
export const distrustedCount = Prisma.sql`(SELECT count("distrustedAt")::int FROM "SigningKey")`

/** Loads the keys again when the database has more distrusted keys than the cache. Inside a transaction pass its `tx`. */
export async function reloadIfDistrusted(distrusted: number, tx?: Tx): Promise<void> {
  // The first read may be shared and have begun before the key was distrusted. Then a second read is enough.
  for (let turn = 0; turn < 2 && keyRing().distrusted < distrusted; turn++)
    await (tx === undefined ? reloadKeys() : loadRing(tx))
}

/**
 * Loads the keys again when the database has other keys than the cache. For code that signs or publishes without an authenticated
 * caller. Inside a transaction pass its `tx`.
 */
export async function refreshKeys(tx: Tx = db()): Promise<void> {
  const [row] = await tx.rows<{ total: number; distrusted: number }>`
    SELECT count(*)::int AS "total", count("distrustedAt")::int AS "distrusted" FROM "SigningKey"`
  const { total, distrusted } = keyRing()
  if (row && (row.total !== total || row.distrusted > distrusted)) await loadRing(tx)
}

/**
 * Returns the key that signs at `now`. `able` are the trusted keys with a private key, oldest first. A key that is not published long
 * enough signs only when no other key can, for instance after the only key was distrusted.
 */
export function chooseSigner<K extends { createdAt: Date }>(able: K[], now: Date): K | undefined {
  const published = able.filter(({ createdAt }) => now > secondsAfter(createdAt, publicationSeconds))
  return published.at(-1) ?? able[0]
}

/** Returns the key that signs tokens at `now`. */
export function signingKey(now: Date): { kid: string; privateKey: KeyObject } {
  const able = [...keyRing().keys.values()].filter((key) => key.privateKey !== null)
  const key = chooseSigner(able, now)
  if (!key?.privateKey) throw new Error('no signing key has a private key')
  return { kid: key.kid, privateKey: key.privateKey }
}

/** Tells whether the cache has a trusted key of that id. */
export function isTrusted(kid: string): boolean {
  return keyRing().keys.has(kid)
}

/** Returns the trusted public key of that id, or null. Reads the database for an unknown id, because another instance may have made the key. */
export async function verificationKey(kid: string): Promise<KeyObject | null> {
  if (!isTrusted(kid)) await refreshKeys()
  return keyRing().keys.get(kid)?.publicKey ?? null
}

/** Returns every trusted public key, for `/.well-known/jwks.json` (RFC 7517). */
export function publicKeys(): PublicJwk[] {
  return [...keyRing().keys.values()].map((key) => key.jwk)
}

/** Returns the distrusted keys. `from` is the time since which somebody else may have signed with the key. */
export function distrustedKeys(): { kid: string; from: Date }[] {
  return keyRing().distrustedKeys
}
