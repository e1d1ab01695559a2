/**
 * Continues the log after its database was restored from an old backup: with the missing entries of a mirror, or under a new name that
 * names the last checkpoint of the old one (docs/audit/witness.md).
 */
import { areEqual, hex } from '@beak/proofs/bytes'
import { openTiles, type ReadLogFile } from '@beak/proofs/log/authenticated-tiles'
import { type EntryKind, entryKinds, entryText } from '@beak/proofs/log/entry'
import { BrokenLog } from '@beak/proofs/log/log-fault'
import { hashOfLeaf, rootOf } from '@beak/proofs/log/merkle'
import { tileWidth, widthOf } from '@beak/proofs/log/tiles'
import { db, type Tx } from '@/lib/db/client'
import { Prisma } from '@/lib/db/generated/client'
import { lockName, transaction } from '@/lib/db/transaction'
import { appendBatch, batchRows, writerLock } from './append'
import { releaseKinds } from './enqueue'
import { readCheckedEntries } from './mirror'
import { logOrigin } from './origin'
import { ContinueRefused, digestIn, type OwnCheckpoint, readOwnCheckpoint } from './own-entries'
import { readTree, storeHashes } from './tree'

interface MirrorEntry {
  kind: EntryKind
  /** The bytes of the entry, as text. */
  data: string
}

/** What a mirror has that the database lacks. */
export interface Missing {
  checkpoint: OwnCheckpoint
  /** How many entries the mirror and the database have in common, from the first one on. */
  common: number
  /** How many entries the database has. */
  size: number
  /** The entries of the mirror after the common ones. */
  entries: MirrorEntry[]
}

/**
 * Compares a mirror with the database, and reads the entries that the database lacks. Checks every tile and entry against the root of the
 * mirror's checkpoint. Throws `ContinueRefused`.
 */
export async function readMissing(readFile: ReadLogFile): Promise<Missing> {
  const origin = await logOrigin()
  try {
    const bytes = await readFile('checkpoint')
    if (bytes === null) throw new ContinueRefused('The mirror has no file named checkpoint.')
    const note = Buffer.from(bytes).toString()
    const checkpoint = await readOwnCheckpoint(note, origin, 'The checkpoint of the mirror')
    const tiles = await openTiles(checkpoint, readFile)
    const size = await sizeOfLog(db())
    const own = readTree(db(), size)
    const isCommon = async (count: number) =>
      areEqual(await rootOf(count, own), await rootOf(count, tiles.readSubtree))
    const common = await largest(Math.min(size, checkpoint.size), isCommon)
    if (common === checkpoint.size)
      throw new ContinueRefused(
        `There is nothing to continue: the database has all ${common} entries of the mirror.`,
      )
    const entries: MirrorEntry[] = []
    for (let index = Math.floor(common / tileWidth); widthOf(0, index, checkpoint.size) > 0; index++) {
      const first = index * tileWidth
      const bundle = await readCheckedEntries(tiles, index)
      for (const [place, entry] of bundle.entries())
        if (first + place >= common) entries.push(readEntry(entry, first + place))
    }
    return { checkpoint, common, size, entries }
  } catch (error) {
    if (error instanceof BrokenLog)
      throw new ContinueRefused(`The mirror cannot be used. ${error.message} Use another mirror.`)
    throw error
  }
}

/** Returns the largest count up to `max` for which the condition holds. It holds for 0, and up to one count. */
async function largest(max: number, holds: (count: number) => Promise<boolean>): Promise<number> {
  let [low, high] = [0, max]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (await holds(middle)) low = middle
    else high = middle - 1
  }
  return low
}

function readEntry(bytes: Uint8Array, index: number): MirrorEntry {
  const data = Buffer.from(bytes).toString()
  const [, digest = '', kind = ''] = /^\{"digest":"([0-9a-f]{64})","kind":"([a-z_]+)"\}$/.exec(data) ?? []
  const known = entryKinds.find((one) => one === kind)
  if (known === undefined || entryText(known, digest) !== data)
    throw new ContinueRefused(
      `Entry ${index} of the mirror has a form that this version cannot store: ${data.slice(0, 120)}. A newer version of the service wrote it. Update the service, then run the command again.`,
    )
  return { kind: known, data }
}

/** Returns how many entries the log has, with those that no checkpoint covers yet. */
async function sizeOfLog(tx: Tx): Promise<number> {
  const [row] = await tx.rows<{ size: bigint }>`
    SELECT COALESCE((SELECT "index" + 1 FROM "LogEntry" ORDER BY "index" DESC LIMIT 1), 0) AS "size"`
  return Number(row?.size ?? 0)
}

/** Columns of an entry that only the database knows. */
interface Owner {
  ducklingId: string | null
  seq: number | null
  passkeyId: string | null
  subjectId: string | null
}

interface StoredEntry extends MirrorEntry, Owner {
  createdAt: Date
}

export interface Continued {
  /** Entries that came from the mirror and that the database did not have. */
  added: number
  /** Entries of the database that are behind those of the mirror now. */
  moved: number
}

/**
 * Puts the entries of a mirror into the log, in one transaction under the lock of the writer. Entries that the service has logged since the
 * restore follow behind them. Removes the checkpoints of the branch that ends here, and stores the checkpoint of the mirror. Throws
 * `ContinueRefused` when another command has continued the log meanwhile, or when the role of the database may not remove anything.
 */
export function continueFromMirror({ checkpoint, common, entries }: Missing, now: Date): Promise<Continued> {
  return transaction(async (tx) => {
    await lockName(tx, writerLock)
    if ((await logOrigin(tx)) !== checkpoint.origin) throw changedMeanwhile()
    const before = await readEntriesFrom(tx, common)
    if (entries.every(({ data }, place) => before[place]?.data === data)) throw changedMeanwhile()
    await appendPending(tx, now)
    const own = await readEntriesFrom(tx, common)
    const { merged, moved, known } = merge(entries, own, now)
    await withoutTriggers(tx, async () => {
      await tx.run`DELETE FROM "LogEntry" WHERE "index" >= ${common}::bigint`
      // A hash of level L covers 256^L entries.
      await tx.run`DELETE FROM "LogHash" WHERE ("index" + 1) * power(256::numeric, "level") > ${common}::bigint`
      await tx.run`DELETE FROM "LogCosignature" WHERE "size" > ${common}::bigint`
      await tx.run`DELETE FROM "LogCheckpoint" WHERE "size" > ${common}::bigint`
    })
    for (let first = 0; first < merged.length; first += batchRows)
      await insertEntries(tx, common + first, merged.slice(first, first + batchRows))
    await storeCheckpoint(tx, checkpoint, now)
    return { added: entries.length - known, moved }
  })
}

/**
 * Appends what is pending without signing. The mirror may have the entries of rows that were pending when the backup was made: so they get
 * their owners, and are not appended again.
 */
async function appendPending(tx: Tx, now: Date): Promise<void> {
  for (let size = await sizeOfLog(tx); ; ) {
    const batch = await appendBatch(tx, now, size, batchRows)
    if (batch.taken < batchRows) return
    size = batch.size
  }
}

export const changedMeanwhile = () =>
  new ContinueRefused('Another command has continued the log meanwhile. This one has changed nothing.')

async function readEntriesFrom(tx: Tx, first: number): Promise<StoredEntry[]> {
  return tx.rows<StoredEntry>`
    SELECT "kind"::text, convert_from("data", 'UTF8') AS "data", "ducklingId", "seq", "passkeyId", "subjectId", "createdAt"
    FROM "LogEntry" WHERE "index" >= ${first}::bigint ORDER BY "index"`
}

/**
 * Returns the entries of the mirror, then those of the database that the mirror does not have. An entry that both have gets its owner from
 * the database. A head that covers less than a later head of the same account in the mirror is left out, because heads must rise.
 */
export function merge(entries: MirrorEntry[], own: StoredEntry[], now: Date) {
  const waiting = new Map<string, StoredEntry[]>()
  for (const entry of own) waiting.set(entry.data, [...(waiting.get(entry.data) ?? []), entry])
  const nobody: Owner = { ducklingId: null, seq: null, passkeyId: null, subjectId: null }
  const highest = new Map<string | null, number>()
  const found = new Set<StoredEntry>()
  const restored = entries.map((entry): StoredEntry => {
    const same = waiting.get(entry.data)?.shift()
    // The entry of a release is found by its digest, so that it is not logged again.
    const isOfRelease = releaseKinds.some((kind) => kind === entry.kind)
    const subjectId = isOfRelease ? digestIn(Buffer.from(entry.data)) : null
    if (same === undefined) return { ...entry, ...nobody, subjectId, createdAt: now }
    found.add(same)
    if (same.seq !== null) highest.set(same.ducklingId, Math.max(same.seq, highest.get(same.ducklingId) ?? 0))
    return same
  })
  const rest = own.filter(
    (entry) => !found.has(entry) && (entry.seq === null || entry.seq > (highest.get(entry.ducklingId) ?? 0)),
  )
  return { merged: [...restored, ...rest], moved: rest.length, known: found.size }
}

async function insertEntries(tx: Tx, first: number, entries: StoredEntry[]): Promise<void> {
  const leaves = entries.map(({ data }) => hashOfLeaf(Buffer.from(data)))
  const rows = entries.map((entry, place) => ({
    ...entry,
    index: first + place,
    leaf: hex(leaves[place] ?? new Uint8Array()),
  }))
  await tx.run`
    INSERT INTO "LogEntry" ("index", "kind", "data", "leafHash", "ducklingId", "seq", "passkeyId", "subjectId", "createdAt")
    SELECT r."index", r."kind", convert_to(r."data", 'UTF8'), decode(r."leaf", 'hex'), r."ducklingId", r."seq", r."passkeyId", r."subjectId", r."createdAt"
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS r(
      "index" bigint, "kind" "LogEntryKind", "data" text, "leaf" text, "ducklingId" text, "seq" int, "passkeyId" text,
      "subjectId" text, "createdAt" timestamptz)`
  await storeHashes(tx, first, leaves)
}

async function storeCheckpoint(tx: Tx, checkpoint: OwnCheckpoint, now: Date): Promise<void> {
  const { size, origin, kid, root, note, cosignatures } = checkpoint
  if (!areEqual(await rootOf(size, readTree(tx, size)), root))
    throw new Error('the log does not have the root of the mirror after its entries were inserted')
  await tx.logCheckpoint.create({
    data: { size, origin, kid, root: new Uint8Array(root), note, createdAt: now },
  })
  await tx.logCosignature.createMany({
    data: cosignatures.map(({ witness, line }) => ({ origin, size, witness, line, createdAt: now })),
  })
}

const logTables = ['LogEntry', 'LogHash', 'LogCheckpoint', 'LogCosignature']

/** Runs `work` while the triggers that keep the log append-only are off. Other transactions never see them off. */
async function withoutTriggers(tx: Tx, work: () => Promise<void>): Promise<void> {
  const [role] = await tx.rows<{ mayChange: boolean }>`
    SELECT pg_has_role(c."relowner", 'MEMBER') AS "mayChange" FROM pg_class c
    WHERE c."relnamespace" = current_schema()::regnamespace AND c."relname" = 'LogEntry'`
  if (!role?.mayChange)
    throw new ContinueRefused(
      'The role in DATABASE_URL may only append to the log. Run this command with the role that owns the tables, as for migrations: /docs/hosts/operate#the-database-role',
    )
  const change = async (how: 'DISABLE' | 'ENABLE') => {
    for (const table of logTables) await tx.run`${Prisma.raw(`ALTER TABLE "${table}" ${how} TRIGGER USER`)}`
  }
  await change('DISABLE')
  await work()
  await change('ENABLE')
}
