/**
 * All columns with sealed values. A new column must be added here, or its values are lost when `BEAK_SECRET` is rotated. `IdempotencyKey` is
 * not here: its values cannot be opened without the keys of clients, and live a day.
 */
import { db, Prisma } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import { grantLabel } from '@/lib/domain/pecks/grant/tokens'
import { reseal } from '@/lib/kernel/secrets/secrets'

export interface SealedColumn {
  table: string
  column: string
  /** The primary key. `isBytes` means that its type is bytea and not text. */
  key: { name: string; isBytes: boolean }
  /** The column from which the label of the value is made. */
  owner: string
  label(owner: string): string
}

/** Returns a column of a table with a text as primary key, which is the label too. */
const labelledByKey = (table: string, column: string, key = 'id'): SealedColumn => ({
  table,
  column,
  key: { name: key, isBytes: false },
  owner: key,
  label: (owner) => owner,
})

export const sealedColumns: SealedColumn[] = [
  labelledByKey('SigningKey', 'privateKey', 'kid'),
  labelledByKey('LogMarkKey', 'sealed'),
  labelledByKey('PushKey', 'sealed'),
  labelledByKey('OAuthKey', 'sealed', 'kid'),
  labelledByKey('WebhookEndpoint', 'secret'),
  labelledByKey('WebhookEndpoint', 'previousSecret'),
  labelledByKey('Channel', 'target'),
  labelledByKey('Channel', 'secret'),
  labelledByKey('Invitation', 'sealed'),
  {
    table: 'GrantToken',
    column: 'sealed',
    key: { name: 'hash', isBytes: true },
    owner: 'peckId',
    label: grantLabel,
  },
]

/** A batch of values that were read, with the changes to write. */
export interface Batch {
  column: SealedColumn
  values: number
  changes: Change[]
  /** Values that neither secret can open, as `Table.column of owner`. */
  unopened: string[]
  /** The key after which the next batch begins. Null after the last batch. */
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
  return db().rows<SealedRow>`
    SELECT ${keyAsText(column)} AS "key", ${name(column.owner)} AS "owner", ${name(column.column)} AS "sealed"
    FROM ${name(column.table)} WHERE ${name(column.column)} IS NOT NULL ${rest} ORDER BY ${key} LIMIT ${size}`
}

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

/** Reads the values after a key and seals those again that the current secret cannot open. Does not write to the database. */
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
 * Writes the changes of a batch in one statement. Does not replace a value that has changed since it was read. Returns the number of
 * replaced values.
 */
export async function writeBatch({ column, changes }: Batch): Promise<number> {
  if (changes.length === 0) return 0
  const [table, sealed] = [name(column.table), name(column.column)]
  return transaction(
    (tx) => tx.run`
      UPDATE ${table} AS t SET ${sealed} = decode(c."becomes", 'hex')
      FROM jsonb_to_recordset(${JSON.stringify(changes)}::jsonb) AS c("key" text, "was" text, "becomes" text)
      WHERE t.${name(column.key.name)} = ${keyFrom(column, Prisma.sql`c."key"`)} AND t.${sealed} = decode(c."was", 'hex')`,
  )
}
