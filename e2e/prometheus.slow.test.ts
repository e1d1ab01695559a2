/** The files of `deploy/prometheus` with the real Prometheus, which scrapes a real server. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@/scripts/servers/free-port.mjs'
import { findProgram } from '@/scripts/verifiers.mjs'
import { expect, test } from './own-server'
import { eventually, send } from './server'

const folder = 'deploy/prometheus'
const running = new Set<ChildProcess>()
test.afterEach(() => {
  for (const child of running) child.kill('SIGKILL')
  running.clear()
})

/** Starts Prometheus with the files of the folder, and scrapes that port each second. Returns a function that asks its API. */
async function startPrometheus(metricsPort: number) {
  const [own, port] = [mkdtempSync(join(tmpdir(), 'beak-prometheus-')), await freePort()]
  cpSync(folder, own, { recursive: true })
  const configuration = readFileSync(join(own, 'prometheus.yml'), 'utf8')
  expect(configuration).toContain('127.0.0.1:9464')
  writeFileSync(
    join(own, 'prometheus.yml'),
    configuration.replace('127.0.0.1:9464', `127.0.0.1:${metricsPort}`).replaceAll(': 15s', ': 1s'),
  )
  const options = {
    'config.file': join(own, 'prometheus.yml'),
    'storage.tsdb.path': join(own, 'data'),
    'web.listen-address': `127.0.0.1:${port}`,
  }
  const args = Object.entries(options).map(([name, value]) => `--${name}=${value}`)
  running.add(spawn('prometheus', args, { stdio: 'ignore' }))
  return async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${port}/api/v1/${path}`)
    return ((await response.json()) as { data: never }).data
  }
}

interface Rules {
  groups: { rules: { name: string; query: string; health: string; state: string; lastError?: string }[] }[]
}

test('Prometheus loads the rules, scrapes the service, and finds every metric that a rule asks for', async ({
  start,
}) => {
  test.setTimeout(300_000)
  test.skip(findProgram('prometheus') === null, 'not run: prometheus is not installed and could not be')
  const promtool = (...args: string[]) => execFileSync('promtool', args, { cwd: folder, encoding: 'utf8' })
  expect(promtool('check', 'config', 'prometheus.yml')).toContain('SUCCESS')
  expect(promtool('test', 'rules', 'alerts.test.yml')).toContain('SUCCESS')

  const metricsPort = await freePort()
  const server = await start({
    env: { BEAK_ROLES: 'api,worker', METRICS_PORT: String(metricsPort) },
  })
  expect((await send(server, 'GET /metrics')).status).toBe(404)
  for (const line of ['GET /beak/', 'GET /beak/nowhere', 'GET /beak/profile']) await send(server, line)
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
  // The library breaks a rule for the names of some of its own.
  const input = text.replace(/^(?:# \w+ )?(?:nodejs|process)_.*\n/gm, '')
  expect(execFileSync('promtool', ['check', 'metrics'], { input, encoding: 'utf8' })).toBe('')

  const ask = await startPrometheus(metricsPort)
  const loaded = await eventually(async () => {
    const rules = (await ask('rules').catch(() => null)) as Rules | null
    const all = rules?.groups.flatMap((group) => group.rules) ?? []
    return all.length > 0 && all.every(({ health }) => health !== 'unknown') ? all : null
  }, 30)
  expect(loaded.filter(({ health }) => health !== 'ok')).toEqual([])
  expect(loaded.filter(({ state }) => state === 'firing')).toEqual([])

  // Only a service with witnesses, or with a backup, has these.
  const optional = /^beak_(?:witness_|backup_)/
  const asked = loaded.flatMap(({ query }) => query.match(/\b(?:beak|nodejs|process)_\w+|\bup\b/g) ?? [])
  const missing = await eventually(async () => {
    const names = (await ask('label/__name__/values')) as string[]
    const found = new Set(names)
    return found.has('up') && found.has('beak_info') ? asked.filter((name) => !found.has(name)) : null
  }, 30)
  expect(missing.filter((name) => !optional.test(name))).toEqual([])
  const up = (await ask('query?query=up')) as { result: { value: [number, string] }[] }
  expect(up.result.map(({ value }) => value[1])).toEqual(['1'])
})
