import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { anInstallation } from '@/lib/fixtures/data-folder'
import { inServer, runOperator, withoutDatabase } from '@/lib/fixtures/operator'

const newFolder = () => mkdtempSync(join(tmpdir(), 'beak-operator-'))

/** Runs a command that needs no database. */
const operator = (dataDir: string, ...args: string[]) => runOperator({ DATA_DIR: dataDir }, ...args)

/** Makes an installation. `run` runs a command in it. */
async function prepare() {
  const { env, query } = await anInstallation()
  return { env, query, run: (...args: string[]) => runOperator(env, ...args) }
}

// Most commands start a process: slow on a busy machine.
describe('npm run operator', { timeout: 180_000 }, () => {
  it('shows every command, without a database', async () => {
    const folder = newFolder()
    const { code, output } = await operator(folder)
    expect([code, output]).toEqual([
      0,
      expect.stringMatching(/^Usage: npm run operator[\s\S]*distrust-key <kid> --from <time>/),
    ])
    expect(readdirSync(folder)).toEqual([])
  })

  it.each([[['rotate']], [['rotate-keys', 'now']], [['limit', 'DUCK-1', '0/0']], [['help', 'rotate']]])(
    'prints the usage after a wrong command line: %j',
    async (line) => {
      expect(await withoutDatabase(...line)).toEqual({
        code: 1,
        output: expect.stringContaining('Usage: npm run operator'),
      })
    },
  )

  it('asks to stop the server when the server uses the embedded database', async () => {
    const folder = newFolder()
    writeFileSync(join(folder, 'lock'), JSON.stringify({ pid: process.pid, start: null }))
    const { code, output } = await operator(folder, 'rotate-keys')
    expect(code).toBe(1)
    expect(output).toContain(`in use by process ${process.pid}`)
    expect(output).toContain('stop the server')
  })

  // One installation: each command opens its database again.
  it('makes, lists, keeps and distrusts keys, also of the log, and lists those that another secret sealed', async () => {
    const { env, query, run } = await prepare()
    const list = async () => (await run('list-keys')).output.split('\n').filter(Boolean)
    expect(await list()).toEqual([expect.stringMatching(/^There are no signing keys yet\./)])
    expect(await run('rotate-log-key')).toMatchObject({
      code: 0,
      output: expect.stringMatching(/^The new key of the log is [\w-]{43}\. /),
    })
    const rotated = await run('rotate-keys')
    expect(rotated).toMatchObject({
      code: 0,
      output: expect.stringMatching(
        /^The new signing key is [\w-]{43}\. .*\nThe new keys of ID tokens are [\w-]{43} and [\w-]{43}\. /,
      ),
    })
    const kid = /key is ([\w-]{43})/.exec(rotated.output)?.[1] ?? ''
    expect(await run('retire-key', kid)).toEqual({
      code: 1,
      output: 'No other key signs yet. Run rotate-keys, and retire this key two minutes later.\n',
    })
    const lines = await list()
    const made = String.raw`made \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z`
    const states = [
      `token  ${made}  signs`,
      `log    ${made}  signs`,
      String.raw`verifier key: localhost:3000/\.well-known/tlog\+[0-9a-f]{8}\+[\w+/]{44}`,
      `token  ${made}  published, signs from .{23}Z`,
      String.raw`id     ${made}  signs \(RS256\)`,
      String.raw`id     ${made}  signs \(EdDSA\)`,
    ]
    expect(lines).toEqual(states.map((state) => expect.stringMatching(new RegExp(`${state}$`))))
    const [first = '', log = ''] = lines.map((line) => line.slice(0, 43))

    const runWithAnother = (...args: string[]) =>
      runOperator({ ...env, BEAK_SECRET: 'quite another secret of this installation' }, ...args)
    expect(await runWithAnother('list-keys')).toEqual({ code: 0, output: `${lines.join('\n')}\n` })
    expect(await runWithAnother('distrust-key', first, '--from', '2026-01-01')).toEqual({
      code: 1,
      output: expect.stringMatching(
        /^"[\w-]{43}" cannot be decrypted: it was encrypted with another BEAK_SECRET\. .*\n$/,
      ),
    })

    await query(`UPDATE "SigningKey" SET "privateKey" = NULL WHERE "kid" = '${first}'`)
    expect(await run('distrust-key', log, '--from', '2026-01-01')).toEqual({
      code: 0,
      output: expect.stringMatching(
        /The new key [\w-]{43} signs from now on\.\nIt was a key of the transparency log\./,
      ),
    })
    await query(`UPDATE "SigningKey" SET "createdAt" = "createdAt" - interval '1 hour'`)
    const later = (await list()).map((line) => line.replace(/.* {2}/, ''))
    expect(later).toEqual([
      'retired',
      'distrusted since 2026-01-01T00:00:00.000Z',
      expect.stringMatching(/^verifier key/),
      'signs',
      'signs',
      expect.stringMatching(/^verifier key/),
      'signs (RS256)',
      'signs (EdDSA)',
    ])
    const [idKey = ''] = lines.slice(-1).map((line) => line.slice(0, 43))
    expect(await run('distrust-key', idKey, '--from', '2026-01-01')).toMatchObject({
      code: 0,
      output: expect.stringMatching(/ was a key of ID tokens\. /),
    })
    expect((await run('list-keys')).output).not.toContain(idKey)
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
    const from = '2026-01-01T00:00:00Z'
    const one = ['kid', '--from']
    const needsTime = /needs --from <time>/
    expect((await withoutDatabase('distrust-key', 'one', 'two', '--from', from)).output).toMatch(
      /needs one kid/,
    )
    expect((await withoutDatabase('distrust-key', ...one, '2026-01-01T00:00:00')).output).toMatch(needsTime)
    const folder = newFolder()
    writeFileSync(join(folder, 'lock'), JSON.stringify({ pid: process.pid, start: null }))
    expect(await operator(folder, 'distrust-key', ...one)).toEqual({
      code: 1,
      output: expect.stringMatching(needsTime),
    })
  })

  it.each([
    ['in the future', 'kid', '2999-01-01', /^2999-01-01T00:00:00.000Z is in the future\. .*$/],
    // A kid may begin with a hyphen.
    ['for an unknown kid', '-kid', '2026-01-01', /^There is no signing key -kid\. .*$/],
  ])('refuses to distrust a key %s', async (_, kid, from, words) => {
    expect(await inServer('distrust-key')(kid, '--from', from)).toEqual({
      code: 1,
      output: expect.stringMatching(words),
    })
  })
})
