/** Every column that holds a sealed value. A new one must be added here, or a rotation of `BEAK_SECRET` would lose it. */
import { db, Prisma } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import { grantLabel } from '@/lib/domain/pecks/grant/grant'
import { reseal } from '@/lib/kernel/secrets'

export interface SealedColumn {
  table: string
  column: string
  /** The primary key, as SQL: how it is compared and sorted, and the same as a text and back. */
  key: { name: string; isBytes: boolean }
  /** The column that the label of the value is made of. */
  owner: string
  label(owner: string): string
}

const plain = (owner: string) => owner

export const sealedColumns: SealedColumn[] = [
  {
    table: 'SigningKey',
    column: 'privateKey',
    key: { name: 'kid', isBytes: false },
    owner: 'kid',
    label: plain,
  },
  {
    table: 'WebhookEndpoint',
    column: 'secret',
    key: { name: 'id', isBytes: false },
    owner: 'id',
    label: plain,
  },
  {
    table: 'WebhookEndpoint',
    column: 'previousSecret',
    key: { name: 'id', isBytes: false },
    owner: 'id',
    label: plain,
  },
  {
    table: 'GrantToken',
    column: 'sealed',
    key: { name: 'hash', isBytes: true },
    owner: 'peckId',
    label: grantLabel,
  },
]

/** A batch of values that were read, and what is to be written. */
export interface Batch {
  column: SealedColumn
  values: number
  changes: Change[]
  /** Values that neither secret opens, as `Table.column of owner`. */
  unopened: string[]
  /** The key after which the next batch begins; null after the last batch. */
  next: string | null
}

/** Sealed bytes as hexadecimal text. */
interface Change {
  key: string
  was: string
  becomes: string
}

interface SealedRow {
  key: string
  owner: string
  sealed: Uint8Array
}

const name = (text: string) => Prisma.raw(`"${text}"`)
const keyAsText = ({ key }: SealedColumn) =>
  key.isBytes ? Prisma.sql`encode(${name(key.name)}, 'hex')` : name(key.name)
const keyFrom = ({ key }: SealedColumn, text: Prisma.Sql) =>
  key.isBytes ? Prisma.sql`decode(${text}, 'hex')` : text

function readRows(column: SealedColumn, after: string | null, size: number): Promise<SealedRow[]> {
  const key = name(column.key.name)
  const rest =
    after === null ? Prisma.empty : Prisma.sql`AND ${key} > ${keyFrom(column, Prisma.sql`${after}::text`)}`
  return db().$queryRaw<SealedRow[]>`
    SELECT ${keyAsText(column)} AS "key", ${name(column.owner)} AS "owner", ${name(column.column)} AS "sealed"
    FROM ${name(column.table)} WHERE ${name(column.column)} IS NOT NULL ${rest} ORDER BY ${key} LIMIT ${size}`
}

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

/** Reads the values after a key and seals those again that the current secret does not open. Writes nothing. */
export async function readBatch(column: SealedColumn, after: string | null, size: number): Promise<Batch> {
  const rows = await readRows(column, after, size)
  const next = rows.length < size ? null : (rows.at(-1)?.key ?? null)
  const batch: Batch = { column, values: rows.length, changes: [], unopened: [], next }
  for (const { key, owner, sealed } of rows) {
    try {
      const again = reseal(sealed, column.label(owner))
      if (again !== null) batch.changes.push({ key, was: hex(sealed), becomes: hex(again) })
    } catch {
      batch.unopened.push(`${column.table}.${column.column} of ${owner}`)
    }
  }
  return batch
}

/**
 * Writes the changes of a batch in one statement. A value that somebody else changed since it was read is left as it is. Returns
 * how many values were replaced.
 */
export async function writeBatch({ column, changes }: Batch): Promise<number> {
  if (changes.length === 0) return 0
  const [table, sealed] = [name(column.table), name(column.column)]
  return transaction(
    (tx) => tx.$executeRaw`
      UPDATE ${table} AS t SET ${sealed} = decode(c."becomes", 'hex')
      FROM jsonb_to_recordset(${JSON.stringify(changes)}::jsonb) AS c("key" text, "was" text, "becomes" text)
      WHERE t.${name(column.key.name)} = ${keyFrom(column, Prisma.sql`c."key"`)} AND t.${sealed} = decode(c."was", 'hex')`,
  )
}
