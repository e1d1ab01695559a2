/**
 * The rows of the database as JSON that PostgreSQL writes and reads: so no value passes through types of JavaScript, and a backup of
 * one kind of database can be restored into the other.
 */

import { existsSync } from 'node:fs'
import type { ClientBase } from 'pg'
import { readBatches } from '@/lib/db/batch'
import { onDedicatedConnection } from '@/lib/db/dedicated'
import { config } from '@/lib/kernel/config'
import { isTestService } from '@/lib/kernel/service/test-service'
import { version } from '@/lib/kernel/service/version'
import {
  type BackupHeader,
  BackupRefused,
  checkBackup,
  checkOfSecret,
  composeBackup,
  keepBackup,
  type Row,
  writeBackup,
} from './file'

/** The history of migrations is not copied: restoring applies the migrations. */
const history = '_prisma_migrations'

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`

/** Returns every table, those first that others refer to. */
export async function listTables(client: ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string; needs: string[] }>(`
    SELECT t.relname::text AS "name", ARRAY(
      SELECT DISTINCT f.confrelid::regclass::oid::text FROM pg_constraint f
      WHERE f.conrelid = t.oid AND f.contype = 'f' AND f.confrelid <> t.oid) AS "needs", t.oid::text AS "oid"
    FROM pg_class t
    WHERE t.relkind = 'r' AND t.relnamespace = current_schema()::regnamespace AND t.relname <> '${history}'
    ORDER BY t.relname`)
  const tables = rows as { name: string; needs: string[]; oid: string }[]
  const done = new Set<string>()
  const sorted: string[] = []
  while (sorted.length < tables.length) {
    const ready = tables.filter(({ oid, needs }) => !done.has(oid) && needs.every((other) => done.has(other)))
    if (ready.length === 0) throw new Error('tables refer to each other in a circle')
    for (const { oid, name } of ready) {
      done.add(oid)
      sorted.push(name)
    }
  }
  return sorted
}

/** Returns the names of the applied migrations, in order. */
export async function listMigrations(client: ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT migration_name AS "name" FROM ${history} WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL ORDER BY migration_name`,
  )
  return rows.map(({ name }) => name)
}

/** Reads the rows of a table as JSON, in batches. */
async function* readRows(client: ClientBase, table: string): AsyncGenerator<string[]> {
  const query = `SELECT row_to_json(t)::text AS "row" FROM ${quoted(table)} t`
  for await (const rows of readBatches<{ row: string }>(client, query)) yield rows.map(({ row }) => row)
}

/** Adds rows to a table. Columns that a row does not have get NULL. */
export async function insertRows(client: ClientBase, table: string, rows: string[]): Promise<void> {
  const name = quoted(table)
  await client.query(`INSERT INTO ${name} SELECT * FROM json_populate_recordset(NULL::${name}, $1::json)`, [
    `[${rows.join(',')}]`,
  ])
}

/** Numbers that certificates since the backup may have: a new certificate must not get the place of one of them in a status list. */
const gap = 100_000

/** Lets every sequence go on behind the restored rows. */
export async function setSequences(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ table: string; column: string }>(`
    SELECT table_name::text AS "table", column_name::text AS "column" FROM information_schema.columns
    WHERE table_schema = current_schema() AND column_default LIKE 'nextval(%'`)
  for (const { table, column } of rows)
    await client.query(
      `SELECT setval(pg_get_serial_sequence($1, $2), (SELECT COALESCE(max(${quoted(column)}), 0) FROM ${quoted(table)}) + $3::bigint, false)`,
      [quoted(table), column, column === 'statusIndex' ? gap : 1],
    )
}

/** Makes a backup of the database while the service runs (contract E, Backup and restore). */

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')

function secretsFor(passphrase: string | null): BackupHeader['secrets'] {
  if (passphrase === null) return null
  const { secret, previousSecret } = config()
  return { secret: base64(secret), previous: previousSecret === null ? null : base64(previousSecret) }
}

async function* readAll(client: ClientBase): AsyncGenerator<Row[]> {
  for (const table of await listTables(client))
    for await (const rows of readRows(client, table)) yield rows.map((json) => ({ table, json }))
}

/**
 * Writes all rows, as they are at one moment, to a new file, and opens the file to check it. With a passphrase the file is encrypted and has
 * the secret. Returns the number of rows. Throws `BackupRefused` when there is such a file already.
 */
export async function makeBackup(path: string, passphrase: string | null, now: Date): Promise<number> {
  if (existsSync(path)) throw new BackupRefused(`There is a file ${path} already. Name another one.`)
  const { secret } = config()
  await onDedicatedConnection(async (client) => {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    const header: BackupHeader = {
      beak_backup: 1,
      made_at: now.toISOString(),
      version,
      base_url: config().baseUrl,
      is_test: isTestService(),
      migrations: await listMigrations(client),
      secrets: secretsFor(passphrase),
      secret_check: checkOfSecret(secret, now.toISOString()),
    }
    await writeBackup(path, passphrase, composeBackup(header, secret, readAll(client)))
    await client.query('COMMIT')
  })
  const { count } = await checkBackup(`${path}.part`, passphrase)
  await keepBackup(path)
  return count
}
