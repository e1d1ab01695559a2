import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { gunzipSync, gzipSync } from 'node:zlib'
import { PGlite } from '@electric-sql/pglite'
import { beforeAll, describe, expect, inject, it, onTestFinished, vi } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { restoreMark } from '@/lib/db/restore-mark'
import { transaction } from '@/lib/db/transaction'
import { closeAccount } from '@/lib/domain/accounts/close'
import { rotateKey } from '@/lib/domain/agents/credentials'
import { type BackupHeader, composeBackup, openBackup, type Row } from '@/lib/domain/backup/file'
import { issueCertificate, revokeCertificate } from '@/lib/domain/certs/issue'
import { deletePasskeys } from '@/lib/domain/passkeys/delete'
import { deregisterAgent } from '@/lib/domain/revocation/deregister'
import { copyTiles } from '@/lib/domain/tlog/mirror'
import { anAgent } from '@/lib/factories/agents'
import { aDuckling, provedContext } from '@/lib/factories/ducklings'
import { aPasskey } from '@/lib/factories/passkeys'
import { anApprovedPeck, aPeck } from '@/lib/factories/pecks'
import { inServer, runOperator, startOperator } from '@/lib/fixtures/operator'
import { createDatabase, onServer } from '@/lib/fixtures/postgres'
import { readSource } from '@/lib/fixtures/source-files'
import { appendNow, newestCheckpoint, readOwnFile } from '@/lib/fixtures/tlog'
import { systemActor } from '@/lib/infrastructure/events/record'
import { config } from '@/lib/kernel/config'
import { systemContext } from '@/lib/kernel/request/context'
import { readClock } from '@/lib/kernel/runtime/clock'

const folder = () => mkdtempSync(join(tmpdir(), 'beak-backup-'))
const backup = inServer('backup')

function passphraseFile(text = 'a long enough passphrase'): string {
  const path = join(folder(), 'passphrase')
  writeFileSync(path, `${text}\n`, { mode: 0o600 })
  return path
}

/** Makes a person with an agent, a permission that can be used, and a request that waits. */
async function aHistory() {
  const owner = await aDuckling()
  const agent = await anAgent(owner)
  const granted = await anApprovedPeck(agent, owner)
  const waiting = await aPeck(agent, owner)
  await appendNow()
  return { owner, agent, granted, waiting }
}

interface Target {
  env: Record<string, string>
  /** The address of the database for the role of the service, when that is another role. */
  service?: string
  rows<T>(sql: string): Promise<T[]>
}

const serviceEnv = () => ({ BASE_URL: config().baseUrl })

function anEmptyFolder(): Target {
  const DATA_DIR = folder()
  return {
    env: { DATA_DIR, ...serviceEnv() },
    rows: async <T>(sql: string) => {
      const database = await PGlite.create(join(DATA_DIR, 'db'))
      const { rows } = await database.query<T>(sql)
      await database.close()
      return rows
    },
  }
}

async function anEmptyDatabase(server: string): Promise<Target> {
  const { url: DATABASE_URL, drop } = await createDatabase(server)
  onTestFinished(drop)
  return {
    env: { DATA_DIR: folder(), DATABASE_URL, ...secretNow(), ...serviceEnv() },
    rows: <T>(sql: string) => onServer(DATABASE_URL, async (client) => (await client.query(sql)).rows as T[]),
  }
}

/** Makes the database and roles of deploy/postgres-roles.sh. Commands use the owner of the tables. */
async function aDatabaseWithRoles(server: string): Promise<Target> {
  const { url, drop } = await createDatabase(server)
  const roles = ['beak_owner', 'beak_service'].map((name) => `${name}_${randomBytes(4).toString('hex')}`)
  const [owner = '', service = ''] = roles
  onTestFinished(async () => {
    await drop()
    await onServer(server, (client) => client.query(`DROP ROLE ${roles.join(', ')}`))
  })
  const [, sql = ''] = /<<'SQL'\n([\s\S]*?)\nSQL/.exec(readSource('deploy/postgres-roles.sh')) ?? []
  const name = new URL(url).pathname.slice(1)
  await onServer(url, (client) =>
    client.query(
      sql
        .replace(/^CREATE DATABASE beak OWNER beak_owner;$/m, `ALTER DATABASE ${name} OWNER TO beak_owner;`)
        .replace(/^\\connect beak$/m, 'ALTER SCHEMA public OWNER TO beak_owner;')
        .replaceAll('DATABASE beak ', `DATABASE ${name} `)
        .replace(/:'\w+_password'/g, "'a long password'")
        .replaceAll('beak_owner', owner)
        .replaceAll('beak_service', service),
    ),
  )
  const addressOf = (role: string) =>
    Object.assign(new URL(url), { username: role, password: 'a long password' }).href
  return {
    service: addressOf(service),
    env: { DATA_DIR: folder(), DATABASE_URL: addressOf(owner), ...secretNow(), ...serviceEnv() },
    rows: <T>(sql: string) => onServer(url, async (client) => (await client.query(sql)).rows as T[]),
  }
}

const postgres = inject('postgres')
const aTarget = async () => (postgres === null ? anEmptyFolder() : anEmptyDatabase(postgres.server))

const secretNow = () => ({ BEAK_SECRET: Buffer.from(config().secret).toString() })

/** What the restored database must have of a history. */
async function expectRestored(
  target: Target,
  { owner, agent, granted, waiting }: Awaited<ReturnType<typeof aHistory>>,
): Promise<void> {
  const [found] = await target.rows<Record<string, unknown>>(`
    SELECT (SELECT count(*)::int FROM "AuditEvent" WHERE "ducklingId" = '${owner.id}') AS "events",
      (SELECT count(*)::int FROM "Session" WHERE "revokedAt" IS NULL AND "expiresAt" > now()) AS "sessions",
      (SELECT "status"::text FROM "Agent" WHERE "id" = '${agent.agentId}') AS "agent",
      (SELECT "grantRevokedAt" IS NOT NULL FROM "Peck" WHERE "id" = '${granted.peck_id}') AS "revoked",
      (SELECT "status"::text FROM "Peck" WHERE "id" = '${waiting.peck_id}') AS "waiting",
      (SELECT count(*)::int FROM "LogQueue" WHERE "kind" = 'revoked' AND "subjectId" = '${granted.peck_id}') AS "logged",
      (SELECT "email" FROM "Duckling" WHERE "id" = '${owner.id}') AS "email",
      (SELECT array_agg("kind"::text ORDER BY "kind") FROM "Outbox" WHERE "payload"->>'duckling_id' = '${owner.id}') AS "told"`)
  expect(found).toEqual({
    events: await db().auditEvent.count({ where: { ducklingId: owner.id } }),
    sessions: 0,
    agent: 'suspended',
    revoked: true,
    waiting: 'cancelled',
    logged: 1,
    email: owner.email,
    told: ['notice_since_0_3', 'restored'],
  })
  const next = await target.rows<{ next: bigint }>(
    `SELECT nextval('"Certificate_statusIndex_seq"') AS "next"`,
  )
  const [last] = await db().rows<{
    last: number
  }>`SELECT max("statusIndex")::int AS "last" FROM "Certificate"`
  expect(Number(next[0]?.next)).toBeGreaterThanOrEqual((last?.last ?? 0) + 100_000)
}

describe('backup and restore', { timeout: 180_000 }, () => {
  /** An encrypted backup: each one, and each attempt to open it, derives a key of the passphrase, which takes seconds. */
  const file = join(folder(), 'encrypted.backup')
  const phrase = passphraseFile()
  let history: Awaited<ReturnType<typeof aHistory>>
  beforeAll(async () => {
    history = await aHistory()
    const made = await backup(file, '--passphrase-file', phrase)
    expect([made.code, made.output]).toEqual([
      0,
      expect.stringContaining('It is encrypted and has the secret.'),
    ])
  }, 180_000)

  // security: backup-5
  it('keeps every row of an encrypted backup, and ends what is too old, in an embedded database', async () => {
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readFileSync(file, 'latin1')).not.toContain(history.owner.email)
    const target = anEmptyFolder()
    const { code, output } = await runOperator(target.env, 'restore', file, '--passphrase-file', phrase)
    expect([code, output]).toEqual([
      0,
      expect.stringContaining('Start the service, and run operator doctor.'),
    ])
    expect(output).toMatch(/Verified: [\d,]+ audit events, [\d,]+ log entries/)
    await expectRestored(target, history)
    // The restored service opens its keys and works.
    const keys = await runOperator(target.env, 'actions')
    expect(keys.output).toContain('restore of the backup of')
    const again = await runOperator(target.env, 'restore', file, '--passphrase-file', phrase)
    expect([again.code, again.output]).toEqual([1, expect.stringMatching(/has (a database|tables) already/)])
  })

  // security: backup-11
  it('keeps the rows of one moment while the service works, needs the secret without a passphrase, and gives the role of the service its rights', async () => {
    const history = await aHistory()
    const file = join(folder(), 'beak.backup')
    const [made] = await Promise.all([
      backup(file),
      ...Array.from({ length: 20 }, () => call('GET /beak/profile', { token: history.owner.token })),
      ...Array.from({ length: 20 }, () => aDuckling()),
    ])
    expect([made.code, made.output]).toEqual([0, expect.stringContaining('It does not have the secret')])
    const text = gunzipSync(readFileSync(file)).toString()
    expect(JSON.parse(text.slice(0, text.indexOf('\n')))).toMatchObject({ secrets: null })
    expect(text).not.toContain(Buffer.from(config().secret).toString('base64'))
    const empty = anEmptyFolder()
    const refused = await runOperator(empty.env, 'restore', file)
    expect([refused.code, refused.output]).toEqual([
      1,
      expect.stringContaining('Set BEAK_SECRET to the secret'),
    ])
    expect(existsSync(join(empty.env.DATA_DIR ?? '', 'db'))).toBe(false)
    const target = postgres === null ? anEmptyFolder() : await aDatabaseWithRoles(postgres.server)
    const { code, output } = await runOperator({ ...target.env, ...secretNow() }, 'restore', file)
    expect([code, output]).toEqual([0, expect.stringContaining('Verified')])
    expect(output).not.toContain('No role but')
    await expectRestored(target, history)
    if (target.service !== undefined)
      expect(await runOperator({ ...target.env, DATABASE_URL: target.service }, 'actions')).toEqual({
        code: 0,
        output: expect.stringContaining('restore of the backup of'),
      })
    // As after a restore with other tools.
    const { agentId } = history.agent
    const living = () =>
      target.rows(`SELECT (SELECT count(*)::int FROM "Session" WHERE "revokedAt" IS NULL AND "expiresAt" > now()) AS "sessions",
        (SELECT "status"::text FROM "Agent" WHERE "id" = '${agentId}') AS "agent"`)
    await target.rows(`UPDATE "Session" SET "revokedAt" = NULL`)
    await target.rows(`UPDATE "Agent" SET "status" = 'bonded' WHERE "id" = '${agentId}'`)
    const before = await living()
    const restored = (...args: string[]) =>
      runOperator({ ...target.env, ...secretNow() }, 'restored', '--as-of', '2026-11-01T00:00:00Z', ...args)
    expect(await restored()).toMatchObject({
      code: 0,
      output: expect.stringContaining('Nothing was changed.'),
    })
    expect(await living()).toEqual(before)
    expect(await restored('--yes')).toMatchObject({
      code: 0,
      output: expect.stringMatching(/^Ended: sessions \([1-9]/),
    })
    expect(await living()).toEqual([{ sessions: 0, agent: 'suspended' }])
  })

  // security: backup-10
  it('refuses a changed file, and leaves no database', async () => {
    const file = join(folder(), 'beak.backup')
    await backup(file)
    const text = gunzipSync(readFileSync(file)).toString()
    writeFileSync(file, gzipSync(text.replace('"outcome":"success"', '"outcome":"denied"')))
    const { env } = anEmptyFolder()
    const { code, output } = await runOperator({ ...env, ...secretNow() }, 'restore', file)
    expect([code, output]).toEqual([1, expect.stringMatching(/was changed.*Use another backup\.$/m)])
    expect(output).not.toContain('    at ')
    expect(readdirSync(env.DATA_DIR ?? '')).not.toContain('db')
  })

  // security: backup-10
  it('refuses what a holder of the secret has changed, and the backup of a newer version', async () => {
    await aHistory()
    const file = join(folder(), 'beak.backup')
    await backup(file)
    const { header, rows } = await openBackup(file, null)
    const all: Row[] = []
    for await (const row of rows) all.push(row)
    const forged = async (rows: Row[], changes: Partial<BackupHeader>) => {
      const path = join(folder(), 'forged.backup')
      const lines: string[] = []
      const source = Readable.from([rows])
      for await (const line of composeBackup({ ...header, ...changes }, config().secret, source))
        lines.push(line)
      writeFileSync(path, gzipSync(lines.join('')))
      return path
    }
    const event = all.findLastIndex(({ table }) => table === 'AuditEvent')
    const { table = '', json = '' } = all[event] ?? {}
    const changed = { table, json: json.replace('"outcome":"success"', '"outcome":"denied"') }
    const faults: [string, RegExp][] = [
      [
        await forged(all.with(event, changed), {}),
        /follows the event before it .*, but not here: event \d+ of DUCK-/,
      ],
      [await forged(all, { migrations: ['20990101000000_later'] }), /which this version cannot read/],
    ]
    for (const [path, words] of faults) {
      const target = await aTarget()
      const { code, output } = await runOperator({ ...target.env, ...secretNow() }, 'restore', path)
      expect([code, output]).toEqual([1, expect.stringMatching(words)])
    }
  })

  it.runIf(postgres !== null)(
    'lets nothing start on a PostgreSQL database whose restore has not finished',
    async () => {
      const file = join(folder(), 'beak.backup')
      await backup(file)
      const target = await aTarget()
      const env = { ...target.env, ...secretNow() }
      const find = async () => {
        const [found] = await target.rows<{ mark: string | null; table: string | null }>(
          `SELECT to_regproc('${restoreMark}')::text AS "mark", to_regclass('"Duckling"')::text AS "table"`,
        )
        return { isMarked: found?.mark != null, hasTables: found?.table != null }
      }
      const restoring = startOperator(env, 'restore', file)
      await vi.waitUntil(async () => (await find()).hasTables, { timeout: 60_000, interval: 5 })
      restoring.child.kill('SIGKILL')
      await restoring.ended
      expect(await find()).toEqual({ isMarked: true, hasTables: true })
      const started = await runOperator(env, 'actions')
      expect([started.code, started.output]).toEqual([1, expect.stringContaining('that did not finish')])
      const again = await runOperator(env, 'restore', file)
      expect([again.code, again.output]).toEqual([
        1,
        expect.stringMatching(/did not finish.*make the database again/),
      ])
    },
  )

  // security: backup-9
  it('ends again what the mirror of a witness shows as removed, revoked, replaced or closed since', async () => {
    const owner = await aDuckling()
    const { id: passkey } = await aPasskey(owner)
    const [removed, rotated, kept] = [await anAgent(owner), await anAgent(owner), await anAgent(owner)]
    const { cert_id: certificate } = await issueCertificate(await owner.context())
    const leaver = await aDuckling()
    await anAgent(leaver)
    const other = await aDuckling()
    const { id: keptPasskey } = await aPasskey(other)
    await issueCertificate(await other.context())
    await appendNow()
    const file = join(folder(), 'beak.backup')
    await backup(file)
    const context = await provedContext(owner)
    await transaction((tx) =>
      deletePasskeys(tx, systemContext(readClock()), { ducklingId: owner.id, actor: systemActor }),
    )
    await deregisterAgent(context, removed.agentId)
    await rotateKey(context, rotated.agentId, 90)
    await revokeCertificate(context, 'stolen')
    await closeAccount(await provedContext(leaver))
    await appendNow()
    const mirror = folder()
    await copyTiles(mirror, (await newestCheckpoint()).note, readOwnFile)
    const target = await aTarget()
    const { code, output } = await runOperator(
      { ...target.env, ...secretNow() },
      'restore',
      file,
      '--mirror',
      mirror,
    )
    // The agent of the closed account ended with it.
    expect([code, output]).toEqual([
      0,
      expect.stringContaining(
        'Ended again: accounts (1), certificates (1), agents (1), replaced beak keys (1), passkeys (1).',
      ),
    ])
    const [left] = await target.rows(`
      SELECT (SELECT array_agg("id") FROM "Passkey" WHERE "id" IN ('${passkey}', '${keptPasskey}')) AS "passkeys",
        (SELECT "status"::text FROM "Certificate" WHERE "id" = '${certificate}') AS "certificate",
        (SELECT "status"::text FROM "Certificate" WHERE "ducklingId" = '${other.id}') AS "kept",
        (SELECT array_agg("status"::text ORDER BY "id") FROM "Agent" WHERE "ducklingId" = '${owner.id}') AS "agents",
        (SELECT array_agg("activeFor" ORDER BY "activeFor") FROM "BeakKey" WHERE "activeFor" IN ('${rotated.agentId}', '${kept.agentId}')) AS "keys",
        (SELECT "email" FROM "Duckling" WHERE "id" = '${leaver.id}') AS "email",
        (SELECT "deletedAt" IS NOT NULL FROM "Duckling" WHERE "id" = '${leaver.id}') AS "closed"`)
    const statuses = new Map([
      [removed.agentId, 'deregistered'],
      [rotated.agentId, 'suspended'],
      [kept.agentId, 'suspended'],
    ])
    expect(left).toEqual({
      passkeys: [keptPasskey],
      certificate: 'revoked',
      kept: 'active',
      agents: [...statuses].sort().map(([, status]) => status),
      keys: [kept.agentId],
      email: null,
      closed: true,
    })
  })

  it('writes the secret to a file when the environment has another one', async () => {
    const { env } = anEmptyFolder()
    const other = { ...env, BEAK_SECRET: randomBytes(24).toString('hex') }
    const { code, output } = await runOperator(other, 'restore', file, '--passphrase-file', phrase)
    expect([code, output]).toEqual([1, expect.stringContaining('Set BEAK_SECRET to its content')])
    const path = join(env.DATA_DIR ?? '', 'secret-of-backup')
    expect([statSync(path).mode & 0o777, readFileSync(path)]).toEqual([0o600, Buffer.from(config().secret)])
  })

  it('refuses a wrong passphrase, a short one, and a file that exists', async () => {
    const short = ['--passphrase-file', passphraseFile('short')]
    expect((await backup(join(folder(), 'beak.backup'), ...short)).output).toContain('needs 12 characters')
    expect((await backup(file)).output).toContain('There is a file')
    const wrong = await runOperator(
      anEmptyFolder().env,
      'restore',
      file,
      '--passphrase-file',
      passphraseFile('another passphrase'),
    )
    expect([wrong.code, wrong.output]).toEqual([
      1,
      expect.stringContaining('cannot be opened with this passphrase'),
    ])
    const none = await runOperator(anEmptyFolder().env, 'restore', file)
    expect(none.output).toContain('is encrypted')
  })

  it.each([
    [[], 'backup needs one file.'],
    [['relative.backup'], 'backup needs absolute paths'],
    [['/a', '/b'], 'backup needs one file.'],
    [['/a', '--mirror', '/b'], 'backup takes no mirror.'],
    [['/a', '--other'], 'backup: Unknown option'],
    [['/nowhere/at/all'], 'ENOENT'],
  ])('explains wrong arguments: %j', async (args, words) => {
    const { code, output } = await backup(...args)
    expect([code, output]).toEqual([1, expect.stringContaining(words)])
  })

  it.each([
    [[], 'restored needs --as-of <time> in UTC'],
    [['--as-of', 'yesterday'], 'restored needs --as-of <time> in UTC'],
    [['--as-of', '2999-01-01T00:00:00Z'], '--as-of is in the future'],
    [['--as-of', '2026-11-01T00:00:00Z', '--mirror', 'mirror'], '--mirror needs an absolute path'],
    [['now'], 'restored: Unexpected argument'],
  ])('restored explains wrong arguments: %j', async (args, words) => {
    const { code, output } = await inServer('restored')(...args)
    expect([code, output]).toEqual([1, expect.stringContaining(words)])
  })
})
