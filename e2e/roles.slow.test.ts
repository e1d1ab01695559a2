/** `BEAK_ROLES` and `WEB_CONCURRENCY`: what a process serves, and several processes on one port. */
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { Client } from 'pg'
import { freePort } from '@/scripts/servers/free-port.mjs'
import { expect, test } from './own-server'
import { eventually, type RunningServer, send } from './server'

const url = process.env.TEST_DATABASE_URL ?? ''
const name = `beak_e2e_${randomBytes(4).toString('hex')}`

async function runSql(sql: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query(sql)
  await client.end()
}

const statusOf = async ({ url }: RunningServer, path: string) => (await fetch(`${url}${path}`)).status

test.describe('BEAK_ROLES', () => {
  test('api serves the API without pages, and does not need their build', async ({ start }) => {
    const port = await freePort()
    const env = { BEAK_ROLES: 'api', BASE_URL: `http://localhost:${port}/never-built` }
    const server = await start({ port, env })
    const { status, headers } = await send(server, 'GET /never-built/beak/')
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json'])
    const mcp = await send(server, 'POST /never-built/mcp', { body: {} })
    expect([mcp.status, mcp.body.code]).toEqual([401, 'E4001'])
    const page = await send(server, 'GET /never-built/signin')
    expect([page.status, page.body.code]).toEqual([404, 'E4005'])
    for (const path of ['/healthz', '/readyz']) expect(await statusOf(server, path)).toBe(200)
    expect(await server.stop()).toBe(0)
  })

  test('web serves pages that call the API, but not the API itself', async ({ start }) => {
    const server = await start({ env: { BEAK_ROLES: 'web,worker' } })
    for (const path of ['/', '/signin', '/directory', '/healthz', '/readyz'])
      expect([path, await statusOf(server, path)]).toEqual([path, 200])
    for (const line of ['GET /beak/', 'GET /beak/spaceducks', 'POST /beak/signup', 'POST /mcp']) {
      const { status, body } = await send(server, line)
      expect([line, status, body.code]).toEqual([line, 404, 'E4005'])
    }
    expect(await server.stop()).toBe(0)
  })
})

test.describe('WEB_CONCURRENCY', () => {
  test.skip(url === '', 'needs TEST_DATABASE_URL')
  test.beforeAll(() => runSql(`CREATE DATABASE ${name}`))
  test.afterAll(() => runSql(`DROP DATABASE ${name} WITH (FORCE)`))

  test('shares one port, one limit and one set of metrics between processes, and replaces a killed process', async ({
    start,
  }) => {
    const metricsPort = await freePort()
    const server = await start({
      env: {
        WEB_CONCURRENCY: '2',
        METRICS_PORT: String(metricsPort),
        BEAK_ROLES: 'api,worker',
        LIMIT_METRICS: '0.01/12',
        LOG_LEVEL: 'error',
        DATABASE_URL: Object.assign(new URL(url), { pathname: `/${name}` }).href,
        BEAK_SECRET: 'a secret that all processes know',
      },
    })
    const children = () =>
      execFileSync('ps', ['-o', 'pid=', '--ppid', String(server.child.pid)], { encoding: 'utf8' })
        .trim()
        .split(/\s+/)
        .map(Number)
    await eventually(() => (children().length === 2 ? true : null))
    const statuses = await Promise.all(
      Array.from({ length: 30 }, () =>
        fetch(`${server.url}/beak/metrics`, { headers: { Connection: 'close' } }).then(
          ({ status }) => status,
        ),
      ),
    )
    expect(statuses.filter((status) => status === 200).length).toBe(12)
    expect(statuses.filter((status) => status === 429).length).toBe(18)
    // They cannot be read while one of the processes still starts.
    const metrics = await eventually(async () => {
      const answer = await fetch(`http://127.0.0.1:${metricsPort}/metrics`)
      return answer.ok ? answer.text() : null
    }, 20)
    // Each process has counted its own calls, and reads the same database.
    expect(metrics).toContain('beak_request_seconds_count{operation="getMetrics",status="2xx"} 12\n')
    expect(metrics).toContain('beak_database_up 1\n')
    expect(metrics).toContain('beak_queue_length{queue="mail"} 0\n')
    const [killed = 0] = children()
    process.kill(killed, 'SIGKILL')
    await eventually(() => {
      const now = children()
      return now.length === 2 && !now.includes(killed) ? true : null
    })
    expect(await statusOf(server, '/readyz')).toBe(200)
    const last = children()
    expect(await server.stop()).toBe(0)
    for (const pid of last) expect(() => process.kill(pid, 0)).toThrow('ESRCH')
  })
})
