/** Checks the rows of a backup against each other, before they are kept. */

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { ClientBase, PoolClient } from 'pg'
import { readBatches } from '@/lib/db/batch'
import { closeDatabase, db, openDatabase } from '@/lib/db/client'
import { pipeline } from '@/lib/db/connections'
import { onDedicatedConnection } from '@/lib/db/dedicated'
import { migrationNames } from '@/lib/db/migrate'
import { type Queries, queriesOn } from '@/lib/db/sql'
import { transaction } from '@/lib/db/transaction'
import { type Contradiction, checkChains, checkLog } from '@/lib/domain/integrity/check'
import { isVerifiable } from '@/lib/domain/passkeys/endorse'
import type { ApprovalProof } from '@/lib/domain/pecks/statements/decision-statement'
import type { OutboxPayloads } from '@/lib/infrastructure/events/outbox'
import { record, systemActor } from '@/lib/infrastructure/events/record'
import { prepareKeys } from '@/lib/infrastructure/keys/signing-keys'
import { config, reloadStoredSecrets } from '@/lib/kernel/config'
import { replaceSecrets } from '@/lib/kernel/config/secret-files'
import { systemContext } from '@/lib/kernel/request/context'
import { replaceFile } from '@/lib/kernel/runtime/durable-file'
import { unseal } from '@/lib/kernel/secrets/secrets'
import { isTestService } from '@/lib/kernel/service/test-service'
import { type Ended, endOld } from './end-old'
import { type Backup, type BackupHeader, BackupRefused, checkBackup, openBackup, type Row } from './file'
import { insertRows, listMigrations, listTables, setSequences } from './make'
import { reserveTarget, type Target } from './target'

interface Verified {
  events: number
  entries: number
  receipts: number
  /** Pecks whose signed decision does not verify, for instance since the address of the service changed. */
  unverified: string[]
}

/** Throws `BackupRefused` for the first row that breaks a rule. */
function requireWhole(contradictions: Contradiction[]): void {
  for (const { rule, rows, count } of contradictions)
    if (count > 0) throw new BackupRefused(`${rule}, but not here: ${rows[0]}. Use another backup.`)
}

async function verifyReceipts(
  client: ClientBase,
  site: string,
): Promise<Pick<Verified, 'receipts' | 'unverified'>> {
  let receipts = 0
  const unverified: string[] = []
  const query = `SELECT "id", "approval" FROM "Peck" WHERE "approval" IS NOT NULL`
  for await (const pecks of readBatches<{ id: string; approval: ApprovalProof }>(client, query))
    for (const { id, approval } of pecks) {
      receipts++
      const { statement, credential_id, public_key, assertion, approver } = approval
      const proof = { credential_id, public_key, assertion }
      if (!(await isVerifiable(proof, statement, approver ?? site))) unverified.push(id)
    }
  return { receipts, unverified }
}

/** Throws unless the secret of this process opens the keys. */
async function verifySecret({ rows }: Queries): Promise<void> {
  const keys = await rows<{ kid: string; privateKey: Uint8Array }>`
    SELECT "kid", "privateKey" FROM "SigningKey" WHERE "privateKey" IS NOT NULL`
  for (const { kid, privateKey } of keys) unseal(privateKey, kid)
}

/** Checks secret, audit logs, transparency log and signed decisions. `site` is the address of the service that made the backup. */
async function verifyRows(client: ClientBase, queries: Queries, site: string): Promise<Verified> {
  await verifySecret(queries)
  const chains = await checkChains(client)
  requireWhole(chains.contradictions)
  const log = await checkLog(client, queries)
  requireWhole(log.contradictions)
  return { events: chains.events, entries: log.entries, ...(await verifyReceipts(client, site)) }
}

/** Restores a backup into an empty database (contract E, Backup and restore). */

export interface Restored {
  header: BackupHeader
  rows: number
  verified: Verified
  ended: Ended
}

/** Throws `BackupRefused` unless this service can use the backup. */
function requireUsable({ migrations, version, is_test: isTest }: BackupHeader): void {
  const known = migrationNames()
  if (migrations.some((name, index) => known[index] !== name))
    throw new BackupRefused(
      `The backup was made by version ${version}, which this version cannot read. Restore it with that version or a newer one.`,
    )
  if (isTest !== isTestService())
    throw new BackupRefused(
      isTest
        ? 'The backup is of a test service ("beak dev"), whose keys signed tests.'
        : 'The backup is of an ordinary service, and a test service must not have its data.',
    )
}

/**
 * Takes over the secrets of an encrypted backup. PostgreSQL needs BEAK_SECRET on every instance: then they are written to a file for the
 * operator. Throws `BackupRefused` when the environment has another secret.
 */
async function takeSecrets({ secrets }: BackupHeader): Promise<void> {
  if (secrets === null) return
  const { dataDir, hasStoredSecret, secret } = config()
  const bytes = Buffer.from(secrets.secret, 'base64')
  if (hasStoredSecret) {
    const previous = secrets.previous === null ? null : Buffer.from(secrets.previous, 'base64')
    await replaceSecrets(dataDir, bytes, previous)
    reloadStoredSecrets()
    return
  }
  if (bytes.equals(secret)) return
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const path = join(dataDir, 'secret-of-backup')
  await replaceFile(path, bytes)
  throw new BackupRefused(
    `BEAK_SECRET is not the secret of this backup. The secret is in ${path} now, which only its owner can read. Set BEAK_SECRET to its content, delete the file, and run restore again.`,
  )
}

const rowsMax = 1_000
const charactersMax = 1_000_000

/** Inserts rows in batches of one table. Returns their number. */
async function load(client: ClientBase, rows: AsyncIterable<Row>): Promise<number> {
  const tables = new Set(await listTables(client))
  let [total, characters] = [0, 0]
  let batch: { table: string; rows: string[] } = { table: '', rows: [] }
  const send = async () => {
    if (batch.rows.length > 0) await insertRows(client, batch.table, batch.rows)
    total += batch.rows.length
    characters = 0
  }
  for await (const { table, json } of rows) {
    if (!tables.has(table))
      throw new BackupRefused(`The backup has a table ${table}, which this version does not know.`)
    if (table !== batch.table || batch.rows.length === rowsMax || characters > charactersMax) {
      await send()
      batch = { table, rows: [] }
    }
    batch.rows.push(json)
    characters += json.length
  }
  await send()
  return total
}

/** Inserts, checks and ends in one transaction, so a backup that is refused leaves no row. */
function loadAll({ header, rows: source }: Backup, target: Target, now: Date): Promise<Restored> {
  return onDedicatedConnection(async (client) => {
    if ((await listMigrations(client)).length !== header.migrations.length)
      throw new BackupRefused('The database is not empty.')
    await client.query('BEGIN')
    const rows = await load(client, source)
    await setSequences(client)
    const queries = queriesOn(pipeline(client as PoolClient))
    const verified = await verifyRows(client, queries, header.base_url)
    const ended = await endOld(queries, header.made_at, now)
    await queries.run`
      INSERT INTO "OperatorAction" ("command", "startedAt", "succeeded")
      VALUES (${`restore of the backup of ${header.made_at}`}, ${now}::timestamptz, true)`
    await target.finish(client)
    await client.query('COMMIT')
    return { header, rows, verified, ended }
  })
}

/**
 * Restores a backup and applies the migrations that are newer. The database is open afterwards. Throws `BackupRefused`, and then nothing
 * is restored.
 */
export async function restoreBackup(path: string, passphrase: string | null, now: Date): Promise<Restored> {
  const target = await reserveTarget(path)
  let restored: Restored
  try {
    const { header } = await checkBackup(path, passphrase)
    requireUsable(header)
    await takeSecrets(header)
    await openDatabase(header.migrations)
    restored = await loadAll(await openBackup(path, passphrase), target, now)
  } catch (error) {
    await target.undo()
    throw error
  }
  await closeDatabase()
  await target.finished()
  await openDatabase()
  await prepareKeys()
  return restored
}

/** Ends what is too old in a database that other tools have restored to a time. */
export function endRestored(madeAt: string, now: Date): Promise<Ended> {
  return onDedicatedConnection(async (client) => {
    await client.query('BEGIN')
    await setSequences(client)
    const ended = await endOld(queriesOn(pipeline(client as PoolClient)), madeAt, now)
    await client.query('COMMIT')
    return ended
  })
}

/** Records in the log of an account that it came back with a backup. Called by the worker; a second call records nothing. */
export async function recordRestore(
  { duckling_id, made_at, restored_at }: OutboxPayloads['restored'],
  now: Date,
): Promise<void> {
  const [known] = await db().rows<{ found: boolean }>`
    SELECT true AS "found" FROM "AuditEvent"
    WHERE "ducklingId" = ${duckling_id} AND "action" = 'service.restored' AND "metadata"->>'restored_at' = ${restored_at} LIMIT 1`
  if (known) return
  await transaction(async (tx) =>
    record(tx, systemContext(now), 'service.restored', {
      concerning: [duckling_id],
      actor: systemActor,
      isDeferred: true,
      metadata: { made_at, restored_at },
    }),
  )
}
