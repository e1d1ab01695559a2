/** A stolen signing key, with two instances of the built server on one PostgreSQL. Runs only with `TEST_DATABASE_URL`. */
import { randomBytes } from 'node:crypto'
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose'
import { Client } from 'pg'
import { runOperator, startOperator } from '@/lib/fixtures/operator'
import { freePort } from '@/scripts/servers/free-port.mjs'
import { expect, type OwnServer, test } from './own-server'
import { aPerson } from './people'
import { eventually, newDataDir, type RunningServer, send } from './server'

const url = process.env.TEST_DATABASE_URL ?? ''
const name = `beak_e2e_${randomBytes(4).toString('hex')}`

async function runSql<T extends object>(database: string, sql: string): Promise<T[]> {
  const client = new Client({ connectionString: database })
  await client.connect()
  const { rows } = await client.query<T>(sql)
  await client.end()
  return rows
}

const databaseUrl = () => Object.assign(new URL(url), { pathname: `/${name}` }).href

interface Pond {
  first: RunningServer
  second: RunningServer
  env: Record<string, string>
}

/** Two instances with one issuer, secret, database and data folder. */
async function startTwo(start: OwnServer['start']): Promise<Pond> {
  const [port, dataDir] = [await freePort(), newDataDir()]
  const env = {
    DATABASE_URL: databaseUrl(),
    BEAK_SECRET: 'a secret that both instances know',
    BASE_URL: `http://localhost:${port}`,
  }
  const first = await start({ port, dataDir, env })
  const second = await start({ dataDir, env })
  return { first, second, env: { ...env, DATA_DIR: dataDir, NODE_ENV: 'production' } }
}

const kidOf = (token: string) => decodeProtectedHeader(token).kid ?? ''
const statusAt = async (server: RunningServer, token: string) =>
  (await send(server, 'GET /beak/profile', { token })).status

test.describe('distrust-key, with two instances', () => {
  test.skip(url === '', 'needs TEST_DATABASE_URL')
  test.beforeAll(() => runSql(url, `CREATE DATABASE ${name}`))
  test.afterAll(() => runSql(url, `DROP DATABASE ${name} WITH (FORCE)`))

  test('takes effect at the next request of both instances, and replaces the signatures of the key', async ({
    start,
  }) => {
    test.setTimeout(120_000)
    const { first, second, env } = await startTwo(start)
    const person = await aPerson(first, 'Mallard')
    const issued = await send(first, 'POST /beak/cert/issue', { token: person.token })
    expect([await statusAt(first, person.token), await statusAt(second, person.token)]).toEqual([200, 200])
    const kid = kidOf(person.token)
    const done = await runOperator(env, 'distrust-key', kid, '--from', '2026-01-01')
    expect(done).toEqual({ code: 0, output: expect.stringContaining('Done.') })

    for (const server of [second, first]) {
      const { body: jwks } = await send(server, 'GET /.well-known/jwks.json')
      expect(JSON.stringify(jwks.keys)).not.toContain(kid)
      expect(jwks.distrusted).toEqual([{ kid, from: '2026-01-01T00:00:00.000Z' }])
      expect(await statusAt(server, person.token)).toBe(401)
      const newcomer = await send(server, 'POST /beak/signup', {
        body: { email: `${randomBytes(8).toString('hex')}@pond.example`, display_name: 'Teal' },
      })
      expect(kidOf(newcomer.body.token)).not.toBe(kid)
      for (const other of [first, second]) expect(await statusAt(other, newcomer.body.token)).toBe(200)
      const { body } = await send(server, `GET /beak/cert/verify?cert_id=${issued.body.cert_id}`)
      await jwtVerify(body.credential, createLocalJWKSet(jwks), { typ: 'vc+jwt' })
      expect(decodeJwt(body.credential)).toEqual(decodeJwt(issued.body.credential))
    }
  })

  test('is finished by a server when the command was killed', async ({ start }) => {
    test.setTimeout(120_000)
    const { first, env } = await startTwo(start)
    const person = await aPerson(first, 'Eider')
    const kid = kidOf(person.token)
    await runSql(
      databaseUrl(),
      `INSERT INTO "Session" ("id", "ducklingId", "amr", "authTime", "createdAt", "expiresAt", "kid")
       SELECT 'SES-' || n, '${person.id}', '{otp}', now(), now(), now() + '1 hour', '${kid}' FROM generate_series(1, 3000) AS n`,
    )
    const command = startOperator(env, 'distrust-key', kid, '--from', '2026-01-01')
    await command.prints('is distrusted since')
    command.child.kill('SIGKILL')
    await command.ended
    expect(command.stdout()).not.toContain('Done.')
    await eventually(async () => {
      const [row] = await runSql<{ live: number }>(
        databaseUrl(),
        `SELECT count(*)::int AS "live" FROM "Session" WHERE "kid" = '${kid}' AND "revokedAt" IS NULL`,
      )
      return row?.live === 0 ? true : null
    })
    const [events] = await runSql<{ ended: number }>(
      databaseUrl(),
      `SELECT sum(jsonb_array_length("targets"))::int AS "ended" FROM "AuditEvent"
       WHERE "ducklingId" = '${person.id}' AND "action" = 'session.revoked'`,
    )
    expect(events?.ended).toBe(3001)
  })
})
