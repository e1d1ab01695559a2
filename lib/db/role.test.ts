/** A database role that does not own the tables, as docs/pages/hosts/operate.md describes it. Needs a PostgreSQL server. */

import { randomBytes } from 'node:crypto'
import { Pool } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { aDuckling } from '@/lib/factories/ducklings'
import { createDatabase, onServer } from '@/lib/fixtures/postgres'
import { databaseUrl, describeOnPostgres, readSource } from '@/lib/fixtures/source-files'
import { singleton } from '@/lib/kernel/runtime/singleton'
import { StartProblem } from '@/lib/kernel/service/start-problem'
import { type Database, database, databaseOn, db, Prisma, requireRights } from './client'
import { migrate } from './migrate'
import { migratingAdapter, servingPool, servingSettings } from './postgres'
import { roleWarning, settingsWarning } from './role'

const role = `beak_test_${randomBytes(4).toString('hex')}`

/** Returns the statements of the page for hosts, for the role and the owner of this test. */
function documentedStatements(owner: string, name: string): string[] {
  const page = readSource('docs/pages/hosts/operate.md')
  const [, sql = ''] = /\n(CREATE ROLE [\s\S]*?)```/.exec(page) ?? []
  return sql
    .replaceAll('beak_service', role)
    .replaceAll('beak_owner', owner)
    .replaceAll('DATABASE beak ', `DATABASE "${name}" `)
    .split(';')
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '')
}

function addressOf(name: string): string {
  const url = new URL(databaseUrl ?? 'postgresql://localhost/')
  url.username = name
  url.password = 'a long password'
  return url.toString()
}

/** Runs `work` on connections of the restricted role. */
async function asRestricted(work: () => Promise<void>): Promise<void> {
  const holder = singleton('database', (): { opened: Database | null } => ({ opened: null }))
  const { opened } = holder
  const restricted = databaseOn(servingPool(addressOf(role)))
  try {
    holder.opened = restricted
    await work()
  } finally {
    holder.opened = opened
    await restricted.close()
  }
}

describeOnPostgres('a role that does not own the tables', () => {
  beforeAll(async () => {
    const [found] = await db().rows<{ owner: string; name: string }>`
      SELECT current_user::text AS "owner", current_database()::text AS "name"`
    for (const statement of documentedStatements(found?.owner ?? '', found?.name ?? ''))
      await db().run`${Prisma.raw(statement)}`
  })
  afterAll(async () => {
    await db().run`${Prisma.raw(`DROP OWNED BY ${role}`)}`
    await db().run`${Prisma.raw(`DROP ROLE ${role}`)}`
  })

  it('serves requests, and finds nothing to migrate', async () => {
    expect(await migrate(migratingAdapter(addressOf(role)))).toEqual([])
    await asRestricted(async () => {
      const owner = await aDuckling()
      expect((await call('GET /beak/audit', { token: owner.token })).status).toBe(200)
      expect((await call('POST /beak/account/delete', { token: owner.token })).status).toBe(200)
    })
  })

  it('cannot apply migrations, and the problem says who can', async () => {
    const empty = await createDatabase(databaseUrl ?? '')
    try {
      await onServer(empty.url, (client) => client.query('REVOKE CREATE ON SCHEMA public FROM PUBLIC'))
      const address = Object.assign(new URL(addressOf(role)), { pathname: new URL(empty.url).pathname }).href
      const problem = await migrate(migratingAdapter(address)).catch((thrown: unknown) => thrown)
      expect(problem).toBeInstanceOf(StartProblem)
      expect((problem as Error).message).toMatch(
        /^DATABASE_URL: this role cannot apply migrations \(permission denied for schema public\)\. Apply them as the owner of the database/,
      )
    } finally {
      await empty.drop()
    }
  })

  it('has every right that the start needs', async () => {
    await expect(requireRights(addressOf(role))).resolves.toBeUndefined()
  })

  it('is told which rights it lacks in a database that gives it none', async () => {
    const empty = await createDatabase(databaseUrl ?? '')
    try {
      await onServer(empty.url, (client) =>
        client.query('CREATE TABLE "LogQueue" ("id" bigserial); CREATE TABLE "OfAnotherProgram" ()'),
      )
      const address = Object.assign(new URL(addressOf(role)), { pathname: new URL(empty.url).pathname }).href
      await expect(requireRights(address)).rejects.toThrow(
        /^DATABASE_URL: the role beak_test_\w+ lacks these rights in the database \w+: SELECT, INSERT, UPDATE and DELETE on tables \(LogQueue\); USAGE and SELECT on sequences \(LogQueue_id_seq\)\. Give them as the owner of the tables/,
      )
      await onServer(empty.url, (client) => client.query('REVOKE USAGE ON SCHEMA public FROM PUBLIC'))
      await expect(requireRights(address)).rejects.toThrow(/USAGE on the schema public/)
    } finally {
      await empty.drop()
    }
  })

  // security: database-1
  it('causes no warning, and cannot switch a trigger off', async () => {
    await asRestricted(async () => {
      const { tx } = database()
      expect(await roleWarning(tx)).toBeNull()
      await expect(tx.run`SET session_replication_role = replica`).rejects.toThrow(/permission denied/)
      await expect(tx.run`ALTER TABLE "AuditEvent" DISABLE TRIGGER USER`).rejects.toThrow(/must be owner/)
      await expect(tx.run`TRUNCATE "AuditEvent"`).rejects.toThrow(/permission denied/)
      await expect(tx.run`DROP TRIGGER audit_append_only ON "AuditEvent"`).rejects.toThrow(/must be owner/)
      await aDuckling()
      await expect(tx.run`DELETE FROM "AuditEvent"`).rejects.toThrow(/append-only/)
    })
  })

  // security: database-1
  it('is what the warning asks for when the role owns the tables or is a superuser', async () => {
    expect(await roleWarning(db())).toMatch(
      /^DATABASE_URL: the role \S+ is a superuser, so it can switch off the triggers that protect the audit log/,
    )
    const member = `${role}_member`
    const statements = [
      `CREATE ROLE ${member} LOGIN PASSWORD 'a long password'`,
      `CREATE TABLE "RoleTest" ()`,
      `ALTER TABLE "RoleTest" OWNER TO ${member}`,
    ]
    for (const statement of statements) await db().run`${Prisma.raw(statement)}`
    const owning = databaseOn(servingPool(addressOf(member)))
    try {
      expect(await roleWarning(owning.tx)).toContain(`the role ${member} owns the tables`)
    } finally {
      await owning.close()
      await db().run`DROP TABLE "RoleTest"`
      await db().run`${Prisma.raw(`DROP ROLE ${member}`)}`
    }
  })
})

/** Settings that a pooler leaves out. Needs a PostgreSQL server. */

describeOnPostgres('the settings of connections', () => {
  it('arrive at the server without a pooler', async () => {
    expect(await settingsWarning(db())).toBeNull()
  })

  it('cause a warning with their names when they do not arrive', async () => {
    const bare = databaseOn(new Pool({ connectionString: databaseUrl ?? '', max: 1 }))
    try {
      const warning = await settingsWarning(bare.tx)
      for (const name of ['statement_timeout', 'enable_seqscan', 'plan_cache_mode'])
        expect(warning).toContain(name)
      for (const setting of servingSettings) {
        const [name = '', value = ''] = setting.split('=')
        await bare.tx.rows`SELECT set_config(${name}, ${value}, false)`
      }
      expect(await settingsWarning(bare.tx)).toBeNull()
    } finally {
      await bare.close()
    }
  })

  it('are on the page for hosts, for the database', () => {
    const page = readSource('docs/pages/hosts/capacity.md')
    const set = [...page.matchAll(/^ALTER DATABASE beak SET (\w+) = '?([^';]+)'?;$/gm)].map(
      ([, name, value]) => `${name}=${value}`,
    )
    expect(set).toEqual(servingSettings)
  })
})
