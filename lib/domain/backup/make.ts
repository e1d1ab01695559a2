/** Makes a backup of the database while the service runs (contract E, Backup and restore). */
import { existsSync } from 'node:fs'
import type { ClientBase } from 'pg'
import { onDedicatedConnection } from '@/lib/db/dedicated'
import { config } from '@/lib/kernel/config'
import { isTestService } from '@/lib/kernel/test-service'
import { version } from '@/lib/kernel/version'
import { type BackupHeader, keepBackup, openBackup, writeBackup } from './file'
import { BackupRefused } from './refused'
import { listMigrations, listTables, readRows } from './rows'

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')

function secretsFor(passphrase: string | null): BackupHeader['secrets'] {
  if (passphrase === null) return null
  const { secret, previousSecret } = config()
  return { secret: base64(secret), previous: previousSecret === null ? null : base64(previousSecret) }
}

async function* readText(client: ClientBase, header: BackupHeader): AsyncGenerator<string> {
  yield `${JSON.stringify(header)}\n`
  let count = 0
  for (const table of await listTables(client))
    for await (const rows of readRows(client, table)) {
      count += rows.length
      yield `${rows.map((row) => `${table}\t${row}`).join('\n')}\n`
    }
  yield `${JSON.stringify({ rows: count })}\n`
}

/** Reads the whole file, as restoring will. Returns the number of rows. */
async function check(path: string, passphrase: string | null): Promise<number> {
  const { rows } = await openBackup(path, passphrase)
  let count = 0
  for await (const { json } of rows) {
    JSON.parse(json)
    count++
  }
  return count
}

/**
 * Writes all rows, as they are at one moment, to a new file, and opens the file to check it. With a passphrase the file is encrypted and has
 * the secret. Returns the number of rows. Throws `BackupRefused` when there is such a file already.
 */
export async function makeBackup(path: string, passphrase: string | null, now: Date): Promise<number> {
  if (existsSync(path)) throw new BackupRefused(`There is a file ${path} already. Name another one.`)
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
    }
    await writeBackup(path, passphrase, readText(client, header))
    await client.query('COMMIT')
  })
  const rows = await check(`${path}.part`, passphrase)
  await keepBackup(path)
  return rows
}
