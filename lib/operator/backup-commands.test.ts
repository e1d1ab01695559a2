import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { PGlite } from '@electric-sql/pglite'
import { Client } from 'pg'
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import { deletePasskeys } from '@/lib/domain/passkeys/delete'
import { copyTiles } from '@/lib/domain/tlog/mirror'
import { anAgent } from '@/lib/factories/agents'
import { aDuckling } from '@/lib/factories/ducklings'
import { aPasskey } from '@/lib/factories/passkeys'
import { anApprovedPeck, aPeck } from '@/lib/factories/pecks'
import { runOperator } from '@/lib/fixtures/operator'
import { inServer } from '@/lib/fixtures/operator-command'
import { appendNow, newestCheckpoint, readOwnFile } from '@/lib/fixtures/tlog'
import { systemActor } from '@/lib/infrastructure/events/record'
import { readClock } from '@/lib/kernel/clock'
import { config } from '@/lib/kernel/config'
import { systemContext } from '@/lib/kernel/context'

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
  const name = `beak_restore_${randomBytes(6).toString('hex')}`
  const on = async <T>(url: string, sql: string) => {
    const client = new Client({ connectionString: url })
    await client.connect()
    const { rows } = await client.query(sql)
    await client.end()
    return rows as T[]
  }
  await on(server, `CREATE DATABASE ${name}`)
  onTestFinished(async () => void (await on(server, `DROP DATABASE ${name} WITH (FORCE)`)))
  const DATABASE_URL = Object.assign(new URL(server), { pathname: `/${name}` }).href
  const BEAK_SECRET = Buffer.from(config().secret).toString()
  return {
    env: { DATA_DIR: folder(), DATABASE_URL, BEAK_SECRET, ...serviceEnv() },
    rows: (sql) => on(DATABASE_URL, sql),
  }
}

const targets: [string, () => Target | Promise<Target>][] = [['an embedded database', anEmptyFolder]]
const postgres = inject('postgres')
if (postgres !== null) targets.push(['PostgreSQL', () => anEmptyDatabase(postgres.server)])

describe('backup and restore', { timeout: 180_000 }, () => {
  it.each(targets)('keep every row, and end what is too old, in %s', async (_, makeTarget) => {
    const { owner, agent, granted, waiting } = await aHistory()
    const file = join(folder(), 'beak.backup')
    const phrase = passphraseFile()
    const made = await backup(file, '--passphrase-file', phrase)
    expect([made.code, made.output]).toEqual([
      0,
      expect.stringContaining('It is encrypted and has the secret.'),
    ])
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readFileSync(file, 'latin1')).not.toContain(owner.email)
    const events = await db().auditEvent.count()
    const target = await makeTarget()
    const { code, output } = await runOperator(target.env, 'restore', file, '--passphrase-file', phrase)
    expect([code, output]).toEqual([
      0,
      expect.stringContaining('Start the service, and run operator doctor.'),
    ])
    expect(output).toMatch(/Verified: [\d,]+ audit events, [\d,]+ log entries/)
    const [found] = await target.rows<Record<string, unknown>>(`
      SELECT (SELECT count(*)::int FROM "AuditEvent") AS "events",
        (SELECT count(*)::int FROM "Session" WHERE "revokedAt" IS NULL AND "expiresAt" > now()) AS "sessions",
        (SELECT "status"::text FROM "Agent" WHERE "id" = '${agent.agentId}') AS "agent",
        (SELECT "grantRevokedAt" IS NOT NULL FROM "Peck" WHERE "id" = '${granted.peck_id}') AS "revoked",
        (SELECT "status"::text FROM "Peck" WHERE "id" = '${waiting.peck_id}') AS "waiting",
        (SELECT count(*)::int FROM "LogPending" WHERE "kind" = 'revoked' AND "subjectId" = '${granted.peck_id}') AS "logged",
        (SELECT "email" FROM "Duckling" WHERE "id" = '${owner.id}') AS "email",
        (SELECT array_agg("kind"::text ORDER BY "kind") FROM "Outbox" WHERE "payload"->>'duckling_id' = '${owner.id}') AS "told"`)
    expect(found).toEqual({
      events,
      sessions: 0,
      agent: 'suspended',
      revoked: true,
      waiting: 'cancelled',
      logged: 1,
      email: owner.email,
      told: ['notice', 'restored'],
    })
    const next = await target.rows<{ next: bigint }>(
      `SELECT nextval('"Certificate_statusIndex_seq"') AS "next"`,
    )
    const [last] = await db().rows<{
      last: number
    }>`SELECT max("statusIndex")::int AS "last" FROM "Certificate"`
    expect(Number(next[0]?.next)).toBeGreaterThanOrEqual((last?.last ?? 0) + 100_000)
    // The restored service opens its keys and works.
    const keys = await runOperator(target.env, 'actions')
    expect(keys.output).toContain('restore of the backup of')
    const again = await runOperator(target.env, 'restore', file, '--passphrase-file', phrase)
    expect([again.code, again.output]).toEqual([1, expect.stringMatching(/has (a database|tables) already/)])
  })

  it('has no secret without a passphrase, and needs it to restore', async () => {
    await aHistory()
    const file = join(folder(), 'beak.backup')
    const { output } = await backup(file)
    expect(output).toContain('It does not have the secret')
    const text = gunzipSync(readFileSync(file)).toString()
    expect(JSON.parse(text.slice(0, text.indexOf('\n')))).toMatchObject({ secrets: null })
    expect(text).not.toContain(Buffer.from(config().secret).toString('base64'))
    const target = anEmptyFolder()
    const refused = await runOperator(target.env, 'restore', file)
    expect([refused.code, refused.output]).toEqual([
      1,
      expect.stringContaining('Set BEAK_SECRET to the secret'),
    ])
    expect(existsSync(join(target.env.DATA_DIR ?? '', 'db'))).toBe(false)
    const BEAK_SECRET = Buffer.from(config().secret).toString()
    const second = await runOperator({ ...anEmptyFolder().env, BEAK_SECRET }, 'restore', file)
    expect([second.code, second.output]).toEqual([0, expect.stringContaining('Restored')])
  })

  it('refuses a changed, cut or foreign file, and leaves no database', async () => {
    await aHistory()
    const file = join(folder(), 'beak.backup')
    await backup(file)
    const text = gunzipSync(readFileSync(file)).toString()
    const BEAK_SECRET = Buffer.from(config().secret).toString()
    const written = (content: string | Buffer) => {
      const path = join(folder(), 'changed.backup')
      writeFileSync(path, typeof content === 'string' ? gzipSync(content) : content)
      return path
    }
    const lines = text.split('\n')
    const eventLine = lines.findIndex((line) => line.startsWith('AuditEvent\t'))
    const changed = lines.with(
      eventLine,
      (lines[eventLine] ?? '').replace('"outcome":"success"', '"outcome":"denied"'),
    )
    const newer = lines.with(
      0,
      (lines[0] ?? '').replace('"migrations":["', '"migrations":["20990101000000_later","'),
    )
    const faults: [string, RegExp][] = [
      [written(changed.join('\n')), /in the audit log of DUCK-.* was changed/],
      [written(`${lines.slice(0, -3).join('\n')}\n`), /is damaged or was cut off/],
      [written(readFileSync(file).subarray(0, -40)), /is damaged or was cut off/],
      [written('hello\n'), /is not a backup of Beak/],
      [written(newer.join('\n')), /which this version cannot read/],
      [join(folder(), 'missing'), /cannot be read \(ENOENT\)/],
    ]
    const attempts = faults.map(async ([path, words]) => {
      const { env } = anEmptyFolder()
      const { code, output } = await runOperator({ ...env, BEAK_SECRET }, 'restore', path)
      expect([code, output]).toEqual([1, expect.stringMatching(words)])
      expect(output).not.toContain('    at ')
      expect(readdirSync(env.DATA_DIR ?? '')).not.toContain('db')
    })
    await Promise.all(attempts)
  })

  it('removes a passkey again that the mirror of a witness shows as removed since', async () => {
    const owner = await aDuckling()
    const { id } = await aPasskey(owner)
    const { id: kept } = await aPasskey(await aDuckling())
    await appendNow()
    const file = join(folder(), 'beak.backup')
    await backup(file)
    await transaction((tx) =>
      deletePasskeys(tx, systemContext(readClock()), { ducklingId: owner.id, actor: systemActor }),
    )
    await appendNow()
    const mirror = folder()
    await copyTiles(mirror, (await newestCheckpoint()).note, readOwnFile)
    const target = anEmptyFolder()
    const BEAK_SECRET = Buffer.from(config().secret).toString()
    const { code, output } = await runOperator(
      { ...target.env, BEAK_SECRET },
      'restore',
      file,
      '--mirror',
      mirror,
    )
    expect([code, output]).toEqual([0, expect.stringContaining('Removed again: 1 passkeys.')])
    expect(output).toMatch(/ {2}[1-9]\d* removed passkeys/)
    const left = await target.rows<{ id: string }>(
      `SELECT "id" FROM "Passkey" WHERE "id" IN ('${id}', '${kept}')`,
    )
    expect(left).toEqual([{ id: kept }])
  })

  it('writes the secret to a file when the environment has another one', async () => {
    const file = join(folder(), 'beak.backup')
    const phrase = passphraseFile()
    await backup(file, '--passphrase-file', phrase)
    const { env } = anEmptyFolder()
    const other = { ...env, BEAK_SECRET: randomBytes(24).toString('hex') }
    const { code, output } = await runOperator(other, 'restore', file, '--passphrase-file', phrase)
    expect([code, output]).toEqual([1, expect.stringContaining('Set BEAK_SECRET to its content')])
    const path = join(env.DATA_DIR ?? '', 'secret-of-backup')
    expect([statSync(path).mode & 0o777, readFileSync(path)]).toEqual([0o600, Buffer.from(config().secret)])
  })

  it('refuses a wrong passphrase, a short one, and a file that exists', async () => {
    const file = join(folder(), 'beak.backup')
    expect((await backup(file, '--passphrase-file', passphraseFile('short'))).output).toContain(
      'needs 12 characters',
    )
    await backup(file, '--passphrase-file', passphraseFile())
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

  it('writes rows of one moment while the service works', async () => {
    const { owner } = await aHistory()
    const file = join(folder(), 'beak.backup')
    const [made] = await Promise.all([
      backup(file),
      ...Array.from({ length: 20 }, () => call('GET /beak/profile', { token: owner.token })),
      ...Array.from({ length: 20 }, () => aDuckling()),
    ])
    expect(made.code).toBe(0)
    const BEAK_SECRET = Buffer.from(config().secret).toString()
    const { code, output } = await runOperator({ ...anEmptyFolder().env, BEAK_SECRET }, 'restore', file)
    expect([code, output]).toEqual([0, expect.stringContaining('Verified')])
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
})
