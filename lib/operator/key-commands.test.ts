import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { anInstallation } from '@/lib/fixtures/data-folder'
import { runOperator } from '@/lib/fixtures/operator'

const newFolder = () => mkdtempSync(join(tmpdir(), 'beak-operator-'))

/** Runs a command that needs no database. */
const operator = (dataDir: string, ...args: string[]) => runOperator({ DATA_DIR: dataDir }, ...args)

/** Makes an installation. `run` runs a command in it. */
async function prepare() {
  const { env, query } = await anInstallation()
  return { env, query, run: (...args: string[]) => runOperator(env, ...args) }
}

describe('npm run operator', () => {
  it('shows every command, without a database', { timeout: 120_000 }, async () => {
    const folder = newFolder()
    const lines = [[], ['help'], ['--help'], ['-h']]
    for (const { code, output } of await Promise.all(lines.map((args) => operator(folder, ...args)))) {
      expect(code).toBe(0)
      expect(output).toMatch(/^Usage: npm run operator[\s\S]*distrust-key <kid> --from <time>/)
    }
    const { code, output } = await operator(folder, 'help', 'retire-key')
    expect([code, output]).toEqual([
      0,
      expect.stringMatching(/^Usage: npm run operator -- retire-key <kid>\n/),
    ])
    expect(readdirSync(folder)).toEqual([])
  })

  it('prints the usage after a wrong command line', async () => {
    const folder = newFolder()
    const wrong = [['rotate'], ['rotate-keys', 'now'], ['limit', 'DUCK-1', '0/0'], ['help', 'rotate']]
    const answers = await Promise.all(wrong.map((args) => operator(folder, ...args)))
    for (const { code, output } of answers) {
      expect(code).toBe(1)
      expect(output).toContain('Usage: npm run operator')
    }
  })

  it('asks to stop the server when the server uses the embedded database', async () => {
    const folder = newFolder()
    writeFileSync(join(folder, 'lock'), JSON.stringify({ pid: process.pid, start: null }))
    const { code, output } = await operator(folder, 'rotate-keys')
    expect(code).toBe(1)
    expect(output).toContain(`in use by process ${process.pid}`)
    expect(output).toContain('stop the server')
  })

  it('rotates keys, and explains in one line why a key cannot be retired', async () => {
    const { run } = await prepare()
    const rotated = await run('rotate-keys')
    expect(rotated).toMatchObject({
      code: 0,
      output: expect.stringMatching(
        /^The new signing key is [\w-]{43}\. .*\nThe new key of ID tokens is [\w-]{43}\. /,
      ),
    })
    const kid = /key is ([\w-]{43})/.exec(rotated.output)?.[1] ?? ''
    expect(await run('retire-key', kid)).toEqual({
      code: 1,
      output: 'No other key signs yet. Run rotate-keys, and retire this key two minutes later.\n',
    })
  })

  it('lists every key with its state, and the verifier keys of the log', async () => {
    const { query, run } = await prepare()
    const list = async () => (await run('list-keys')).output.split('\n').filter(Boolean)
    expect(await list()).toEqual([expect.stringMatching(/^There are no signing keys yet\./)])
    await run('rotate-log-key')
    await run('rotate-keys')
    const lines = await list()
    const made = String.raw`made \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z`
    const states = [
      `token  ${made}  signs`,
      `log    ${made}  signs`,
      String.raw`verifier key: localhost:3000/\.well-known/tlog\+[0-9a-f]{8}\+[\w+/]{44}`,
      `token  ${made}  published, signs from .{23}Z`,
      `id     ${made}  signs`,
    ]
    expect(lines).toEqual(states.map((state) => expect.stringMatching(new RegExp(`${state}$`))))
    const [first = '', log = ''] = lines.map((line) => line.slice(0, 43))
    await query(`UPDATE "SigningKey" SET "privateKey" = NULL WHERE "kid" = '${first}'`)
    await run('distrust-key', log, '--from', '2026-01-01')
    await query(`UPDATE "SigningKey" SET "createdAt" = "createdAt" - interval '1 hour'`)
    const later = (await list()).map((line) => line.replace(/.* {2}/, ''))
    expect(later).toEqual([
      'retired',
      'distrusted since 2026-01-01T00:00:00.000Z',
      expect.stringMatching(/^verifier key/),
      'signs',
      'signs',
      expect.stringMatching(/^verifier key/),
      'signs',
    ])
    const [idKey = ''] = lines.slice(-1).map((line) => line.slice(0, 43))
    expect(await run('distrust-key', idKey, '--from', '2026-01-01')).toMatchObject({
      code: 0,
      output: expect.stringMatching(/ was a key of ID tokens\. /),
    })
    expect((await run('list-keys')).output).not.toContain(idKey)
  })

  it('lists keys that were sealed with another secret, but does not distrust them', async () => {
    const { env, run } = await prepare()
    await run('rotate-keys')
    const runWithAnother = (...args: string[]) =>
      runOperator({ ...env, BEAK_SECRET: 'quite another secret of this installation' }, ...args)
    const before = await runWithAnother('list-keys')
    const kid = before.output.slice(0, 43)
    expect(before.code).toBe(0)
    expect(await runWithAnother('distrust-key', kid, '--from', '2026-01-01')).toEqual({
      code: 1,
      output: expect.stringMatching(
        /^"[\w-]{43}" cannot be decrypted: it was encrypted with another BEAK_SECRET\. .*\n$/,
      ),
    })
    expect((await runWithAnother('list-keys')).output).not.toContain('distrusted')
  })

  it('distrusts a key, shows the progress, and revokes every session of the key', async () => {
    const { query, run } = await prepare()
    const fresh = /key is ([\w-]{43})/.exec((await run('rotate-keys')).output)?.[1] ?? ''
    const [{ kid } = { kid: '' }] = await query<{ kid: string }>(
      `SELECT "kid" FROM "SigningKey" WHERE "kid" <> '${fresh}'`,
    )
    await query(
      `WITH owner AS (
        INSERT INTO "Duckling" ("id", "displayName", "referralCode", "createdAt") VALUES ('DUCK-1', 'Mallard', 'R', now())
        RETURNING "id")
      INSERT INTO "Session" ("id", "ducklingId", "amr", "authTime", "createdAt", "expiresAt", "kid")
      SELECT 'SES-' || n, "id", '{otp}', now(), now(), now() + '1 hour', CASE WHEN n <= 450 THEN '${kid}' ELSE '${fresh}' END
      FROM owner, generate_series(1, 460) AS n`,
    )
    const from = '2026-01-01T00:00:00Z'
    const { code, output } = await run('distrust-key', kid, '--from', from)
    expect([code, output.split('\n')]).toEqual([
      0,
      [
        `${kid} is distrusted since 2026-01-01T00:00:00.000Z. No instance accepts it from the next request on.`,
        '0 of 450 sessions ended',
        '200 of 450 sessions ended',
        '400 of 450 sessions ended',
        '450 of 450 sessions ended',
        '0 of 0 certificates signed again',
        'Done. Receipts and audit heads are signed with a trusted key when they are read again.',
        '',
      ],
    ])
    const again = await run('distrust-key', `--from=${from}`, kid)
    expect(again).toMatchObject({ code: 0, output: expect.stringContaining('was distrusted before') })
    const [left] = await query(`SELECT count(*)::int AS "live" FROM "Session" WHERE "revokedAt" IS NULL`)
    expect(left).toEqual({ live: 10 })
    const events = await query(`SELECT DISTINCT "action", "metadata" FROM "AuditEvent"`)
    expect(events).toEqual([
      { action: 'session.revoked', metadata: { kid, reason: 'signing_key_distrusted' } },
    ])
  })

  it('explains wrong arguments of distrust-key without opening the database', async () => {
    const folder = newFolder()
    writeFileSync(join(folder, 'lock'), JSON.stringify({ pid: process.pid, start: null }))
    const from = '2026-01-01T00:00:00Z'
    const wrong: [string[], RegExp][] = [
      [['one', 'two', '--from', from], /needs one kid/],
      [['kid', '--from'], /needs --from <time>/],
      [['kid', '--from', '2026-01-01T00:00:00'], /needs --from <time>/],
    ]
    const answers = await Promise.all(wrong.map(([args]) => operator(folder, 'distrust-key', ...args)))
    for (const [n, { code, output }] of answers.entries()) {
      expect(code).toBe(1)
      expect(output).toMatch(wrong[n]?.[1] ?? '')
    }
  })

  it('refuses an unknown kid and a time in the future, and replaces the key of the log', async () => {
    const { run } = await prepare()
    const { code, output } = await run('rotate-log-key')
    expect([code, output]).toEqual([0, expect.stringMatching(/^The new key of the log is [\w-]{43}\. /)])
    const kid = /is ([\w-]{43})/.exec(output)?.[1] ?? ''
    expect(await run('distrust-key', kid, '--from', '2999-01-01')).toEqual({
      code: 1,
      output: expect.stringMatching(/^2999-01-01T00:00:00.000Z is in the future\. .*\n$/),
    })
    // A kid may begin with a hyphen.
    expect(await run('distrust-key', '-kid', '--from', '2026-01-01')).toEqual({
      code: 1,
      output: expect.stringMatching(/^There is no signing key -kid\. .*\n$/),
    })
    expect(await run('distrust-key', kid, '--from', '2026-01-01')).toEqual({
      code: 0,
      output: expect.stringMatching(
        /The new key [\w-]{43} signs from now on\.\nIt was a key of the transparency log\./,
      ),
    })
  })
})
