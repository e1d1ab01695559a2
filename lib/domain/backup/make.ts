/** Makes a backup of the database while the service runs (contract E, Backup and restore). */
import { existsSync } from 'node:fs'
import type { ClientBase } from 'pg'
import { onDedicatedConnection } from '@/lib/db/dedicated'
import { config } from '@/lib/kernel/config'
import { isTestService } from '@/lib/kernel/test-service'
import { version } from '@/lib/kernel/version'
import {
  type BackupHeader,
  checkBackup,
  checkOfSecret,
  composeBackup,
  keepBackup,
  type Row,
  writeBackup,
} from './file'
import { BackupRefused } from './refused'
import { listMigrations, listTables, readRows } from './rows'

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
