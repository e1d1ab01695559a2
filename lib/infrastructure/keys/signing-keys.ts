/**
 * The keys that sign tokens, as this process knows them. They live in the database, so that every instance signs alike. The newest
 * key that has been published for a while signs; all trusted keys verify, so that a rotation ends no session and old certificates
 * stay checkable. A distrusted key neither signs nor verifies.
 *
 * Instances learn of new keys once a minute, but must act on a distrusted key at once. So each statement that authenticates a caller
 * also reads how many keys are distrusted (`distrustedCount`), and the number goes to `keepTrusted`. Code that signs or publishes
 * without a caller calls `refreshKeys`.
 */
import type { KeyObject } from 'node:crypto'
import { db, Prisma, type Tx } from '@/lib/db/client'
import { lockName, transaction } from '@/lib/db/transaction'
import { readClock, secondsAfter } from '@/lib/kernel/clock'
import { singleton } from '@/lib/kernel/singleton'
import { addKey, keysLock, type LoadedKey, loadKey, type PublicJwk } from './stored-keys'

/** What this process has read. `total` and `distrusted` count keys of every purpose; `distrusted` never falls. */
interface KeyRing {
  /** Trusted keys that sign tokens, oldest first. */
  keys: Map<string, LoadedKey>
  distrustedKeys: { kid: string; from: Date }[]
  total: number
  distrusted: number
}

/** Seconds that a new key is published before it signs; the worker of every instance looks for new keys once a minute. */
export const publishedFirst = 120

const ring = () =>
  singleton('signing-keys', () => ({
    current: null as KeyRing | null,
    loading: null as Promise<void> | null,
  }))

const readRows = (tx: Tx) => tx.signingKey.findMany({ orderBy: [{ createdAt: 'asc' }, { kid: 'asc' }] })

/** Reads every key through `tx`. Keeps the result, unless this process has learned of another distrusted key meanwhile. */
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

/** Loads the keys again, for instance after a rotation. Simultaneous callers share one reading. */
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

/** Loads the keys unless they are there. Everything that serves awaits this once, so that signing is synchronous. */
export async function prepareKeys(): Promise<void> {
  if (ring().current === null) await reloadKeys()
}

function keyRing(): KeyRing {
  const { current } = ring()
  if (current === null) throw new Error('the signing keys are not loaded')
  return current
}

/** SQL: how many keys are distrusted. For the statements that authenticate a caller; the table has a few rows. */
export const distrustedCount = Prisma.sql`(SELECT count("distrustedAt")::int FROM "SigningKey")`

/** Loads the keys again when the database has more distrusted keys than this process knows. */
export async function keepTrusted(distrusted: number): Promise<void> {
  // A reading that began before the key was distrusted may be shared. One more reading is then enough.
  for (let turn = 0; turn < 2 && keyRing().distrusted < distrusted; turn++) await reloadKeys()
}

/**
 * Makes sure that this process knows every key of the database, with one small statement. For code that signs or publishes without
 * an authenticated caller. Inside a transaction pass its `tx`.
 */
export async function refreshKeys(tx: Tx = db()): Promise<void> {
  const [row] = await tx.$queryRaw<{ total: number; distrusted: number }[]>`
    SELECT count(*)::int AS "total", count("distrustedAt")::int AS "distrusted" FROM "SigningKey"`
  const { total, distrusted } = keyRing()
  if (row && (row.total !== total || row.distrusted > distrusted)) await loadRing(tx)
}

/**
 * Returns which of the trusted keys with a private half signs at that time; `able` is oldest first. A key that is not published long
 * enough signs only when no other key can: so after the only one was distrusted, its successor signs at once.
 */
export function chooseSigner<K extends { createdAt: Date }>(able: K[], now: Date): K | undefined {
  const published = able.filter(({ createdAt }) => now > secondsAfter(createdAt, publishedFirst))
  return published.at(-1) ?? able[0]
}

/** Returns the key that signs tokens at that time. */
export function signingKey(now: Date): { kid: string; privateKey: KeyObject } {
  const able = [...keyRing().keys.values()].filter((key) => key.privateKey !== null)
  const key = chooseSigner(able, now)
  if (!key?.privateKey) throw new Error('no signing key has a private half')
  return { kid: key.kid, privateKey: key.privateKey }
}

/** Returns whether that key is one of ours and trusted, as this process knows. */
export function isTrusted(kid: string): boolean {
  return keyRing().keys.has(kid)
}

/** Returns the trusted public key of that id, or null. Asks the database about an unknown id: another instance may have made that key. */
export async function verificationKey(kid: string): Promise<KeyObject | null> {
  if (!isTrusted(kid)) await refreshKeys()
  return keyRing().keys.get(kid)?.publicKey ?? null
}

/** Returns every trusted public key, for `/.well-known/jwks.json` (RFC 7517). */
export function publicKeys(): PublicJwk[] {
  return [...keyRing().keys.values()].map((key) => key.jwk)
}

/** Returns the distrusted keys. `from` is the instant since when somebody else may have signed with the key. */
export function distrustedKeys(): { kid: string; from: Date }[] {
  return keyRing().distrustedKeys
}
