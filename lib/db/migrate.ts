/**
 * Applies `prisma/migrations` with the schema engine of Prisma as WebAssembly. Nothing is downloaded, and `prisma migrate deploy`
 * sees the same history. The engine is loaded only when a migration is pending.
 */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDriverAdapterError, type SqlQueryable } from '@prisma/driver-adapter-utils'
import { StartProblem } from '@/lib/kernel/service/start-problem'
import { version } from '@/lib/kernel/service/version'
import { restoreMark } from './restore-mark'
import { type Adapter, runSchemaEngine } from './schema-engine'

interface Migration {
  name: string
  sql: string
  checksum: string
}

function prismaFolder(): string {
  return join(/* turbopackIgnore: true */ process.cwd(), 'prisma')
}

function readMigrations(): Migration[] {
  const folder = join(prismaFolder(), 'migrations')
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(join(folder, entry.name, 'migration.sql')))
    .map((entry) => entry.name)
    .sort()
    .map((name) => {
      const sql = readFileSync(join(folder, name, 'migration.sql'), 'utf8')
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
    })
}

/** Returns the names of all migrations of this build. */
export function migrationNames(): string[] {
  return readMigrations().map(({ name }) => name)
}

function migrationList(migrations: Migration[]) {
  return {
    baseDir: join(prismaFolder(), 'migrations'),
    lockfile: { path: './migration_lock.toml', content: 'provider = "postgresql"\n' },
    shadowDbInitScript: '',
    migrationDirectories: migrations.map(({ name, sql }) => ({
      path: name,
      migrationFile: { path: 'migration.sql', content: { tag: 'ok', value: sql } },
    })),
  }
}

function schema(): [path: string, text: string] {
  const path = join(prismaFolder(), 'schema.prisma')
  return [path, readFileSync(path, 'utf8')]
}

const noFilters = { externalTables: [], externalEnums: [] }

const queryOn = (connection: SqlQueryable) => (sql: string) =>
  connection.queryRaw({ sql, args: [], argTypes: [] })

async function readApplied(connection: SqlQueryable): Promise<Map<string, string>> {
  const query = queryOn(connection)
  const found = await query(`SELECT to_regclass('_prisma_migrations')::text`)
  if (found.rows[0]?.[0] == null) return new Map()
  const { rows } = await query(
    'SELECT migration_name, checksum FROM _prisma_migrations WHERE finished_at IS NOT NULL',
  )
  return new Map(rows.map((row) => [String(row[0]), String(row[1])]))
}

/** Throws `StartProblem` when a restore was killed: the service would start without the data, as if it were new. */
async function requireFinishedRestore(connection: SqlQueryable): Promise<void> {
  const { rows } = await queryOn(connection)(`SELECT to_regproc('${restoreMark}')::text, current_database()`)
  const [mark, name] = rows[0] ?? []
  if (mark != null)
    throw new StartProblem(
      `A backup was being restored into this database (${name}), and that did not finish. If it is still running, wait. If it was stopped, make the database again, empty and with its roles, and run restore again: /docs/hosts/backup#when-you-need-it`,
    )
}

/**
 * Returns the oldest version that works with a migration, or null when the version before it works too. The name says it, because older
 * versions, and the tools of Prisma, know nothing but the names in the database.
 */
export function versionNeededBy(name: string): string | null {
  const [, ...numbers] = /_needs_(\d+)_(\d+)_(\d+)$/.exec(name) ?? []
  return numbers.length === 0 ? null : numbers.join('.')
}

/** Throws `StartProblem` when a newer version has changed the database in a way that this version cannot work with. */
function requireUsable(applied: ReadonlyMap<string, string>, known: readonly Migration[]): void {
  const names = new Set(known.map(({ name }) => name))
  for (const name of applied.keys()) {
    const needed = versionNeededBy(name)
    if (needed !== null && !names.has(name))
      throw new StartProblem(
        `This is version ${version}, and the database has the migration ${name} of a newer one: it needs version ${needed} or newer. Start that version, or restore the backup that was made before the update.`,
      )
  }
}

/**
 * Returns the names of the migrations that are not applied yet. Throws `StartProblem` when the database needs a newer version, or a restore
 * into it is not finished, unless the restore itself asks.
 */
export async function pendingMigrations(adapter: Adapter, isRestore = false): Promise<string[]> {
  const connection = await adapter.connect()
  try {
    if (!isRestore) await requireFinishedRestore(connection)
    const applied = await readApplied(connection)
    const known = readMigrations()
    requireUsable(applied, known)
    return known.filter(({ name, checksum }) => applied.get(name) !== checksum).map(({ name }) => name)
  } finally {
    await connection.dispose()
  }
}

/** SQLSTATE insufficient_privilege. */
const notPermitted = '42501'

/** Returns an error of a role that may not change the schema as a `StartProblem`, and any other error as it is. */
function roleProblem(error: unknown): unknown {
  const cause = error instanceof Error && !isDriverAdapterError(error) ? error.cause : error
  if (!(cause instanceof Error && isDriverAdapterError(cause))) return error
  const { originalCode, originalMessage } = cause.cause
  if (originalCode !== notPermitted) return error
  return new StartProblem(
    `DATABASE_URL: this role cannot apply migrations (${originalMessage}). Apply them as the owner of the database, with \`npm run operator -- migrate\`: /docs/hosts/operate#the-database-role`,
    { cause: error },
  )
}

/**
 * Applies pending migrations and returns their names. Several instances can call it at the same time. With `only`, it knows no others: for
 * the rows of a backup, which later migrations change. Throws `StartProblem` when the
 * role of the database may not change the schema, and as `pendingMigrations` does.
 */
export async function migrate(adapter: Adapter, only?: readonly string[]): Promise<string[]> {
  try {
    return await applyPending(adapter, only)
  } catch (error) {
    throw roleProblem(error)
  }
}

async function applyPending(adapter: Adapter, only?: readonly string[]): Promise<string[]> {
  const isKnown = (name: string) => only === undefined || only.includes(name)
  if (!(await pendingMigrations(adapter, only !== undefined)).some(isKnown)) return []
  const { appliedMigrationNames } = await runSchemaEngine<{ appliedMigrationNames: string[] }>(adapter, {
    method: 'applyMigrations',
    params: {
      migrationsList: migrationList(readMigrations().filter(({ name }) => isKnown(name))),
      filters: noFilters,
    },
    datamodels: [schema()],
  })
  return appliedMigrationNames
}

/** Returns the SQL of the next migration: from the existing migrations, or from nothing, to `schema.prisma`. Empty when they agree. */
export async function diffToSchema(adapter: Adapter, fromEmpty = false): Promise<string> {
  const [path, content] = schema()
  const migrations = fromEmpty ? [] : readMigrations()
  const { stdout } = await runSchemaEngine<{ stdout: string | null }>(adapter, {
    method: 'diff',
    params: {
      from: migrations.length === 0 ? { tag: 'empty' } : { tag: 'migrations', ...migrationList(migrations) },
      to: { tag: 'schemaDatamodel', files: [{ path, content }] },
      script: true,
      exitCode: null,
      shadowDatabaseUrl: null,
      filters: noFilters,
    },
    datamodels: [[path, content]],
  })
  return stdout ?? ''
}
