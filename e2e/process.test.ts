/** The process: started twice, wrong configuration, with a mail server, and under Next without our own server. */
import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { SMTPServer } from 'smtp-server'
import { codeIn, outboxOf } from './outbox'
import { expect, test } from './own-server'
import { aPerson } from './people'
import { emptyDataDir, eventually, send } from './server'

const person = (name: string) => ({ email: `${name}@example.com`, display_name: 'Mallard' })

// Each test starts servers of its own and waits for them.
test.describe.configure({ mode: 'parallel' })

test.describe('starting', () => {
  test('refuses a data folder that another process uses, and names the process and what to do', async ({
    start,
  }) => {
    // Three starts with a database in a folder.
    test.slow()
    const server = await start()
    await expect(start({ dataDir: server.dataDir })).rejects.toThrow(
      /is in use by process \d+\. Stop that process/,
    )
    expect(await server.stop()).toBe(0)
    const again = await start({ dataDir: server.dataDir })
    expect(await again.stop()).toBe(0)
  })

  // security: host-4
  test('lists every fault of the configuration and does not start', async ({ start }) => {
    const faulty = start({
      env: {
        BASE_URL: 'https://beak.example',
        LIMIT_SIGNUP: 'many',
        TRUSTED_PROXIES: '10.0.0.0/99',
        BEAK_SECRET: 'short',
        SMTP_URL: 'http://x',
        LOG_LEVEL: 'loud',
        TWILIO_FROM: '+15005550006',
      },
    })
    await expect(faulty).rejects.toThrow(/LIMIT_SIGNUP[\s\S]*TRUSTED_PROXIES/)
    const message = await faulty.catch((error: Error) => error.message)
    for (const name of ['BEAK_SECRET', 'SMTP_URL', 'LOG_LEVEL', 'TWILIO_ACCOUNT_SID'])
      expect(message).toContain(name)
  })

  test('says in one sentence, and without a stack, what a person can mend', async ({ start }) => {
    const [lost, other] = [emptyDataDir(), emptyDataDir()]
    mkdirSync(join(lost, 'db'))
    const login = 'beak:a-password'
    const secret = { BEAK_SECRET: 'a secret of more than 32 bytes, all told' }
    const server = await start({ dataDir: other })
    await server.stop()
    const faulty: [Parameters<typeof start>[0], RegExp][] = [
      [{ env: { DATABSE_URL: 'postgresql://localhost/beak' } }, /DATABSE_URL: did you mean DATABASE_URL\?/],
      [{ dataDir: lost }, /secret is missing, but there is a database/],
      [{ dataDir: other, env: secret }, /encrypted with another BEAK_SECRET/],
      [
        {
          env: {
            ...secret,
            DATABASE_URL: `postgresql://${login}@127.0.0.1:9/pond`,
            DATABASE_WAIT: '0',
          },
        },
        /PostgreSQL at 127\.0\.0\.1, port 9, database pond: nothing listens there/,
      ],
    ]
    for (const [options, words] of faulty) {
      const message = await start(options).then(
        () => 'it started',
        (error: Error) => error.message,
      )
      expect(message).toMatch(words)
      expect(message).not.toMatch(/\n\s+at |a-password/)
    }
    expect(readdirSync(lost)).toEqual(['db'])
  })

  // security: check-58
  test('starts without a mail server where it has no outbox either, logs that, and stores no code on disk', async ({
    start,
  }) => {
    const server = await start({ env: { BASE_URL: 'https://beak.example' } })
    await eventually(() => (server.output().includes('SMTP_URL is not set') ? true : null))
    const { status } = await send(server, 'POST /beak/signup', { body: person('nowhere') })
    expect(status).toBe(200)
    await eventually(() => (server.output().includes('deliveries fail and are tried again') ? true : null))
    expect(outboxOf(server)).toEqual([])
    const { body } = await send(server, 'GET /beak/nothing', { headers: { Host: 'evil.example' } })
    expect(body.type).toBe('https://beak.example/docs/errors#E4005')
    await server.stop()
  })

  // security: backup-13
  test('keeps its secret, its database and its messages in files that only their owner can read', async ({
    start,
  }) => {
    const server = await start({ dataDir: emptyDataDir() })
    expect(statSync(join(server.dataDir, 'secret')).mode & 0o777).toBe(0o600)
    await aPerson(server, 'Scoter')
    const open = ['.', ...(readdirSync(server.dataDir, { recursive: true }) as string[])].filter(
      (name) => (statSync(join(server.dataDir, name)).mode & 0o077) !== 0,
    )
    expect(open).toEqual([])
    await server.stop()
  })
})

test.describe('SMTP', () => {
  test('delivers a code to its recipient, even when the mail server did not accept it at first', async ({
    start,
  }) => {
    const received: { to: string[]; data: string }[] = []
    let isAway = true
    const smtp = new SMTPServer({
      disabledCommands: ['AUTH', 'STARTTLS'],
      onRcptTo: (_address, _session, done) =>
        done(isAway ? Object.assign(new Error('try later'), { responseCode: 421 }) : null),
      onData: (stream, session, done) => {
        let data = ''
        stream.on('data', (chunk: Buffer) => {
          data += chunk.toString()
        })
        stream.on('end', () => {
          received.push({ to: session.envelope.rcptTo.map(({ address }) => address), data })
          done()
        })
      },
    })
    const port = await new Promise<number>((resolve) => {
      const listener = smtp.listen(0, '127.0.0.1', () =>
        resolve((listener.address() as { port: number }).port),
      )
    })
    const server = await start({ env: { SMTP_URL: `smtp://127.0.0.1:${port}`, LOG_LEVEL: 'warn' } })
    const { status, body } = await send(server, 'POST /beak/signup', { body: person('smtp') })
    expect(status).toBe(200)
    await eventually(() => (server.output().includes('deliveries fail and are tried again') ? true : null))
    isAway = false
    const mail = await eventually(() => received[0])
    expect(mail.to).toEqual(['smtp@example.com'])
    expect(mail.data).toMatch(/^From: Beak </m)
    const [otp = ''] = /\b\d{6}\b/.exec(mail.data.replace(/^[\s\S]*?\r?\n\r?\n/, '')) ?? []
    expect((await send(server, 'POST /beak/verify-email', { token: body.token, body: { otp } })).status).toBe(
      200,
    )
    expect(outboxOf(server)).toEqual([])
    await server.stop()
    await new Promise<void>((resolve) => smtp.close(() => resolve()))
  })
})

test.describe('Next alone', () => {
  test('serves the same API with the same table', async ({ start }) => {
    const server = await start({ command: ['node_modules/.bin/next', 'start'], ready: /Ready in/ })
    const { token } = await aPerson(server, 'next')
    expect((await send(server, 'GET /beak/profile/', { token })).body.trust_tier).toBe('T1')
    const root = await send(server, 'GET /beak/')
    expect([root.status, root.body.name]).toEqual([200, 'Beak'])
    expect((await send(server, 'GET /.well-known/jwks.json')).body.keys).toHaveLength(1)
    expect((await send(server, 'GET /healthz')).status).toBe(200)
    expect((await send(server, 'GET /.well-known/jwks.json/')).body.keys).toHaveLength(1)
    expect((await send(server, 'OPTIONS /.well-known/status-list/0')).status).toBe(204)
    expect((await fetch(`${server.url}/.well-known/security.txt`)).status).toBe(200)
    const { resource } = (await send(server, 'GET /.well-known/oauth-protected-resource/mcp')).body
    expect([resource, (await send(server, 'POST /mcp', { body: {} })).status]).toEqual([
      `${server.url}/mcp`,
      401,
    ])
    expect((await fetch(`${server.url}/docs/errors.md`)).headers.get('content-type')).toContain(
      'text/markdown',
    )
    const nothing = await fetch(`${server.url}/.well-known/change-password`)
    expect([nothing.status, nothing.headers.get('content-type')]).toEqual([404, 'application/problem+json'])
    expect((await fetch(`${server.url}/dev/outbox`)).status).toBe(404)
    const unknown = await send(server, 'GET /beak/nothing/here')
    expect([unknown.status, unknown.body.code]).toEqual([404, 'E4005'])
    const method = await send(server, 'GET /beak/signup')
    expect([method.status, method.body.code, method.headers.get('allow')]).toEqual([
      405,
      'E4010',
      'POST, OPTIONS',
    ])
    const broken = await fetch(`${server.url}/beak/signin`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"a":',
    })
    expect([broken.status, broken.headers.get('content-type')]).toEqual([400, 'application/problem+json'])
    await server.stop()
  })
})

test.describe('our own server', () => {
  // security: stranger-19, check-66, check-67
  test('answers pages and API on one port, rejects slow and malformed requests, and sends pages no API headers', async ({
    start,
  }) => {
    const server = await start()
    const page = await fetch(`${server.url}/`)
    expect([page.status, page.headers.get('content-type'), page.headers.get('x-powered-by')]).toEqual([
      200,
      'text/html; charset=utf-8',
      null,
    ])
    const raw = (text: string) =>
      new Promise<string>((resolve) => {
        const socket = connect(Number(new URL(server.url).port), 'localhost', () => socket.write(text))
        let answer = ''
        socket.on('data', (chunk) => {
          answer += chunk.toString()
          socket.end()
        })
        socket.on('close', () => resolve(answer))
      })
    expect(await raw('GARBAGE\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 [\s\S]*problem\+json/)
    expect(
      await raw(
        'POST /beak/signin HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      ),
    ).toMatch(/^HTTP\/1\.1 400/)
    expect(await raw('TRACE /beak/profile HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')).toMatch(
      /^HTTP\/1\.1 405 [\s\S]*E4010/,
    )
    // The request for a page above would let Next listen for upgrades.
    const close = 'Host: x\r\nConnection: close\r\n\r\n'
    expect(
      await raw('GET /beak/ HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n'),
    ).toMatch(/^HTTP\/1\.1 200 [\s\S]*"Beak"/)
    expect(await raw(`GET http://elsewhere.example/beak HTTP/1.1\r\n${close}`)).toMatch(
      /^HTTP\/1\.1 200 [\s\S]*"Beak"/,
    )
    for (const path of ['/beak/', '/', '/healthz', '/_next/static/x.js'])
      expect([path, await raw(`GET ${path} HTTP/1.1\r\nHost: x\r\nhost: y\r\n\r\n`)]).toEqual([
        path,
        expect.stringMatching(/^HTTP\/1\.1 400 [\s\S]*problem\+json[\s\S]*E4000/),
      ])
    expect(await raw(`TRACE / HTTP/1.1\r\n${close}`)).toMatch(/^HTTP\/1\.1 405 /)
    expect(await raw(`OPTIONS * HTTP/1.1\r\n${close}`)).toMatch(/^HTTP\/1\.1 405 /)
    const slow = await raw(
      'POST /beak/signin HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{',
    )
    expect(slow).toMatch(/^HTTP\/1\.1 408/)
    expect(await server.stop()).toBe(0)
  })

  // security: backup-19, check-75
  test('writes no secret into its log', async ({ start }) => {
    const server = await start({ env: { LOG_LEVEL: 'debug' } })
    const { email, token } = await aPerson(server, 'canary')
    const agent = await send(server, 'POST /beak/agent/register', {
      token,
      body: { agent_name: 'Scout', agent_type: 'assistant', capabilities: ['read:profile'] },
    })
    expect(agent.status).toBe(200)
    const { beak_key: key, handshake_token: handshake, agent_id } = agent.body
    expect(
      (await send(server, 'POST /beak/agent/bond', { key, body: { agent_id, handshake_token: handshake } }))
        .status,
    ).toBe(200)
    expect((await send(server, `GET /beak/profile?beak_key=${key}`)).status).toBe(200)
    const password = 'canary in the coal mine'
    await send(server, 'POST /beak/signup', { body: { email: 'pw@example.com', password } })
    await send(server, 'POST /beak/signin', { body: { email: 'pw@example.com', password } })
    await send(server, 'POST /beak/signin', { body: { email: 'pw@example.com', password: `${password}?` } })
    const otp = await codeIn(server, email)
    await server.stop()
    const printed = server.output()
    expect(printed).toContain('/beak/agent/bond')
    for (const secret of [
      token,
      key,
      handshake,
      password,
      otp,
      readFileSync(join(server.dataDir, 'secret'), 'utf8'),
    ])
      expect(printed).not.toContain(secret)
  })
})

// What is made beside the pages changes while they are built.
test('the pages were built without a look into the folder build', () => {
  const traces = readdirSync('.next/server', { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.nft.json'),
  )
  expect(traces.length).toBeGreaterThan(50)
  const reading = traces.filter((name) =>
    /"(?:\.\.\/)+build\//.test(readFileSync(join('.next/server', name), 'utf8')),
  )
  expect(reading).toEqual([])
})
