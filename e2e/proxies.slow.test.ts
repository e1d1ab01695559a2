/** The proxies of the folder `deploy`, with the real programs: streams pass at once, and strangers cannot name their own address. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@/scripts/servers/free-port.mjs'
import { findProgram } from '@/scripts/verifiers.mjs'
import { expect, test } from './own-server'
import { anAddress, anAgent, aPerson, bond } from './people'
import { eventually, send } from './server'

interface Ports {
  service: number
  https: number
  http: number
}

interface Proxy {
  name: string
  /** Returns the command line. Writes the file of `deploy` into a new folder, with other ports and a certificate of its own. */
  command(program: string, folder: string, ports: Ports): string[]
}

const deployed = (file: string) => readFileSync(join('deploy', file), 'utf8')

/** Replaces text that must be there. */
function replaced(text: string, changes: [from: string, to: string][]): string {
  return changes.reduce((changed, [from, to]) => {
    expect(changed).toContain(from)
    return changed.replaceAll(from, to)
  }, text)
}

const caddy: Proxy = {
  name: 'caddy',
  command: (program, folder, { service, https, http }) => {
    const site = replaced(deployed('Caddyfile'), [
      ['{$BEAK_HOST:beak.example} {', `localhost:${https} {\n\ttls internal`],
      ['{$BEAK_UPSTREAMS:127.0.0.1:3000}', `127.0.0.1:${service}`],
    ])
    const global = `{\n\tadmin off\n\tskip_install_trust\n\thttp_port ${http}\n\tstorage file_system ${folder}\n}\n`
    writeFileSync(join(folder, 'Caddyfile'), global + site)
    return [program, 'run', '--config', join(folder, 'Caddyfile'), '--adapter', 'caddyfile']
  },
}

const nginx: Proxy = {
  name: 'nginx',
  command: (program, folder, { service, https, http }) => {
    const [certificate, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
    const options = `req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=localhost -keyout ${key} -out ${certificate}`
    execFileSync('openssl', options.split(' '), { stdio: 'ignore' })
    const site = replaced(deployed('nginx.conf'), [
      ['listen [::]:443 ssl http2;', ''],
      ['listen [::]:80;', ''],
      ['listen 443', `listen ${https}`],
      ['listen 80', `listen ${http}`],
      ['127.0.0.1:3000', `127.0.0.1:${service}`],
      ['beak.example;', 'localhost;'],
      ['/etc/letsencrypt/live/beak.example/fullchain.pem', certificate],
      ['/etc/letsencrypt/live/beak.example/privkey.pem', key],
    ])
    writeFileSync(
      join(folder, 'nginx.conf'),
      `daemon off;\npid ${folder}/pid;\nerror_log stderr;\nevents {}\nhttp {\naccess_log off;\n${site}\n}\n`,
    )
    return [program, '-p', folder, '-c', join(folder, 'nginx.conf')]
  },
}

const running = new Set<ChildProcess>()
test.afterEach(() => {
  for (const child of running) child.kill('SIGTERM')
  running.clear()
})

interface Sent {
  headers?: Record<string, string>
  body?: object
}

/** Sends a request without checking the certificate, which is the test's own. `onData` gets all text so far, and the answer is open then. */
function fetchTls(
  url: string,
  { headers = {}, body }: Sent = {},
  onData?: (text: string) => void,
): Promise<{ status: number; text: string; end(): void }> {
  return new Promise((resolve, reject) => {
    const options = {
      method: body === undefined ? 'GET' : 'POST',
      headers: body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
      rejectUnauthorized: false,
    }
    const sent = request(url, options, (response) => {
      const status = response.statusCode ?? 0
      let text = ''
      response.setEncoding('utf8').on('data', (piece: string) => {
        text += piece
        onData?.(text)
      })
      const answer = () => ({ status, text, end: () => void sent.destroy() })
      response.on('end', () => resolve(answer()))
      response.on('error', reject)
      if (onData !== undefined) resolve(answer())
    })
    sent.once('error', reject).end(body === undefined ? undefined : JSON.stringify(body))
  })
}

for (const proxy of [caddy, nginx]) {
  test(`deploy/ for ${proxy.name} passes streams on at once and keeps the addresses of strangers`, async ({
    start,
  }) => {
    test.setTimeout(300_000)
    const program = findProgram(proxy.name)
    test.skip(program === null, `not run: ${proxy.name} is not installed and could not be`)
    const ports = { service: await freePort(), https: await freePort(), http: await freePort() }
    const url = `https://localhost:${ports.https}`
    const server = await start({ port: ports.service, env: { TRUSTED_PROXIES: '127.0.0.1/32,::1/128' } })
    const folder = mkdtempSync(join(tmpdir(), 'beak-proxy-'))
    const [command = '', ...args] = proxy.command(program ?? '', folder, ports)
    running.add(spawn(command, args, { stdio: 'ignore', env: { ...process.env, HOME: folder } }))
    await eventually(async () => {
      const answer = await fetchTls(`${url}/readyz`).catch(() => null)
      return answer?.status === 200 ? true : null
    })

    const owner = await aPerson(server, 'Nadia')
    const agent = await anAgent(server, owner)
    await bond(server, agent)
    let received = ''
    const headers = { authorization: `Bearer ${owner.token}` }
    const stream = await fetchTls(`${url}/beak/peck/stream`, { headers }, (text) => {
      received = text
    })
    const receives = (text: string) => eventually(() => (received.includes(text) ? true : null))
    await receives('event: ready')
    const peck = { target_duckling_id: owner.id, action: 'read:calendar', scope: 'limited' }
    await send(server, 'POST /beak/peck/request', { key: agent.key, body: peck })
    await receives('event: peck')
    stream.end()

    const forged = { 'x-forwarded-for': '203.0.113.9' }
    const person = { email: anAddress('mallory'), display_name: 'Mallory' }
    const joined = await fetchTls(`${url}/beak/signup`, { headers: forged, body: person })
    const { token } = JSON.parse(joined.text) as { token: string }
    const sessions = await send(server, 'GET /beak/session/list', { token })
    expect([sessions.status, JSON.stringify(sessions.body)]).toEqual([
      200,
      expect.not.stringContaining('203.0.113.9'),
    ])
    expect(JSON.stringify(sessions.body)).toMatch(/"ip":"(127\.0\.0\.1|::1)"/)

    const version = execFileSync('curl', ['-sk', '-o', '/dev/null', '-w', '%{http_version}', `${url}/`])
    expect(version.toString()).toBe('2')
  })
}
