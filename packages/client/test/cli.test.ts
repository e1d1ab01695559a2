/** The command line against a real service: in this process, or in one of its own for what only a process has. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { suspendAgent } from '@/lib/domain/agents/suspend'
import { issueCertificate, revokeCertificate } from '@/lib/domain/certs/issue'
import { anAgent } from '@/lib/factories/agents'
import { type ADuckling, aDuckling } from '@/lib/factories/ducklings'
import { anApprovedPeck, aPeck } from '@/lib/factories/pecks'
import {
  assertion,
  es256Passkey,
  makeReceipt,
  proof3,
  key as signingKey,
  statementOf3,
} from '@/lib/fixtures/receipt-maker'
import { appendNow } from '@/lib/fixtures/tlog'
import { aReceiver, aWebhook } from '@/lib/fixtures/webhooks'
import { useConfig } from '@/lib/kernel/config'
import { drainOutbox } from '@/lib/worker/start'
import { commands } from '../src/cli/commands'
import { Exit, exitCodes } from '../src/cli/exit'
import { commandHelp, overviewHelp } from '../src/cli/help'
import { parse } from '../src/cli/parse'
import { operations } from '../src/generated/operations'
import { aTerminal, hasScript, program } from './beak-process'
import { startService } from './service'

const address = startService()
beforeAll(() => useConfig({ baseUrl: address(), webhookAllowPrivate: true }))

const as = ({ token }: { token: string }) => aTerminal({ BEAK_URL: address(), BEAK_TOKEN: token })

const folder = mkdtempSync(join(tmpdir(), 'beak-cli-files-'))
let files = 0
const file = (content: unknown) => {
  const path = join(folder, `${++files}.json`)
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

/** What a terminal obeys, except the line feed. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern finds control characters
const obeyed = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/

const modeOf = (path: string) => statSync(path).mode & 0o777

/** Signs a terminal in as a person who approves the device. */
async function signIn(owner: ADuckling) {
  const terminal = aTerminal()
  const login = terminal.start(['login', '--url', address(), '--name', 'laptop', '--json'])
  const [, user_code = ''] = await login.until(/code: ([A-Z-]{9})/)
  await call('POST /beak/device/approve', { token: owner.token, body: { user_code } })
  return { terminal, ended: await login.ended }
}

describe.concurrent('login', () => {
  it('stores the session of an approved device, which logout ends', { timeout: 60_000 }, async () => {
    const owner = await aDuckling()
    const { terminal, ended } = await signIn(owner)
    expect([ended.code, JSON.parse(ended.stdout)]).toMatchObject([
      0,
      { url: address(), duckling_id: owner.id },
    ])
    expect(ended.stdout + ended.stderr).not.toMatch(/eyJ/)
    expect([modeOf(terminal.credentials), modeOf(join(terminal.config, 'beak'))]).toEqual([0o600, 0o700])
    const { token } = JSON.parse(readFileSync(terminal.credentials, 'utf8')).services[address()]
    expect((await terminal.json(['whoami'])).duckling_id).toBe(owner.id)
    expect((await terminal.json(['api', 'listSessions'])).items[0]).toMatchObject({
      name: 'laptop',
      current: true,
    })
    // The session of one service is not sent to another.
    const elsewhere = await terminal.run(['whoami', '--url', 'http://localhost:9'])
    expect([elsewhere.code, elsewhere.stderr]).toEqual([
      3,
      expect.stringContaining('not signed in at http://localhost:9'),
    ])

    const rotated = await terminal.run(['agent', 'rotate', (await anAgent(owner)).agentId])
    expect([rotated.code, rotated.stderr]).toEqual([
      1,
      expect.stringContaining(`${address()}/agents/manage/AGT-`),
    ])

    const asker = await aDuckling()
    const medium = (await aPeck(asker, owner, { action: 'send:email' })).peck_id
    const refused = await terminal.run(['peck', 'approve', medium, '--yes'])
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringContaining(`${address()}/pecks/${medium}`),
    ])
    const low = (await aPeck(asker, owner, { action: 'read:weather' })).peck_id
    expect((await terminal.run(['peck', 'approve', low, '--yes'])).code).toBe(0)

    // The device prepares an agent, and its owner resumes it.
    const registering = terminal.start(['agent', 'register', 'Scout', '--bond', '--json'])
    const [, agent_id = ''] = await registering.until(/manage\/(AGT-\w+)/)
    expect((await call('POST /beak/agent/resume', { token: owner.token, body: { agent_id } })).status).toBe(
      200,
    )
    const registered = await registering.ended
    expect([registered.code, JSON.parse(registered.stdout).status]).toEqual([0, 'bonded'])

    expect((await terminal.run(['logout'])).code).toBe(0)
    expect((await call('GET /beak/profile', { token })).status).toBe(401)
    expect(JSON.parse(readFileSync(terminal.credentials, 'utf8'))).toEqual({ current: null, services: {} })
    expect((await terminal.run(['logout', '--url', address()])).code).toBe(3)
  })

  it('ends with 1 after a denial, and stores nothing', { timeout: 60_000 }, async () => {
    const owner = await aDuckling()
    const terminal = aTerminal()
    const login = terminal.start(['login', '--url', address()])
    const [, link = ''] = await login.until(/Approve it at: (\S+)/)
    const user_code = new URL(link).searchParams.get('user_code')
    expect(new URL(link).origin).toBe(address())
    await call('POST /beak/device/deny', { token: owner.token, body: { user_code } })
    expect(await login.ended).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('You denied this device.'),
    })
    expect(() => statSync(terminal.credentials)).toThrow('ENOENT')
  })

  it('ends with 130 at Ctrl+C', async () => {
    const login = aTerminal().start(['login', '--url', address()])
    await login.until(/Waiting for your approval/)
    login.child.kill('SIGINT')
    expect(await login.ended).toMatchObject({ code: 130, stderr: expect.stringContaining('Interrupted.') })
  })
})

describe('credentials', () => {
  it('are refused in a file that others can read', async () => {
    const terminal = aTerminal()
    execFileSync('mkdir', ['-p', join(terminal.config, 'beak')])
    writeFileSync(terminal.credentials, '{}', { mode: 0o644 })
    const { code, stderr } = await terminal.run(['whoami'])
    expect([code, stderr]).toEqual([2, expect.stringContaining('chmod 600')])
  })

  it.each([
    ['no session', {}, 3],
    ['a session that has ended', { BEAK_TOKEN: 'ended' }, 3],
    ['an unknown key', { BEAK_KEY: `beak_KEY-${'0'.repeat(16)}_x` }, 3],
  ])('end with 3 for %s', async (_, env, code) => {
    expect((await aTerminal({ BEAK_URL: address(), ...env }).run(['peck', 'list'])).code).toBe(code)
  })
})

describe('agents', () => {
  it('are registered, bonded and listed, and ask with the saved key', async () => {
    const [owner, target] = [await aDuckling(), await aDuckling({ displayName: 'Teal' })]
    const terminal = as(owner)
    const saved = join(folder, 'scout.env')
    const agent = await terminal.json(['agent', 'register', 'Scout', '--bond', '--save', saved])
    expect([agent.status, modeOf(saved)]).toEqual(['bonded', 0o600])
    const again = await terminal.run(['agent', 'register', 'Scout', '--save', saved])
    expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('exists already')])
    expect(await terminal.json(['agent', 'list'])).toMatchObject({
      items: [{ agent_id: agent.agent_id }],
      next_cursor: null,
    })
    const { stdout } = await terminal.run(['agent', 'list'])
    expect(stdout.trim().split('\n')).toHaveLength(2)
    expect(stdout.split('\n')[1]).toMatch(new RegExp(`^${agent.agent_id}  Scout  bonded`))

    const variables = Object.fromEntries(
      readFileSync(saved, 'utf8')
        .trim()
        .split('\n')
        .map((line) => line.split('=', 2) as [string, string]),
    )
    expect(variables).toEqual({ BEAK_URL: address(), BEAK_KEY: agent.beak_key })
    const robot = aTerminal(variables)
    const ask = robot.start([
      'peck',
      'ask',
      target.id,
      'send:mail',
      '--param',
      'to=pond@example.com',
      '--wait',
      '--json',
    ])
    const [peck_id = ''] = await ask.until(/PECK-\w+/)
    const human = as(target)
    expect(
      (await human.json(['peck', 'list', '--status', 'pending'])).items.map(
        (peck: { peck_id: string }) => peck.peck_id,
      ),
    ).toEqual([peck_id])
    const unasked = await human.run(['peck', 'approve', peck_id])
    expect([unasked.code, unasked.stderr]).toEqual([2, expect.stringContaining('--yes')])
    expect((await human.json(['peck', 'approve', peck_id, '--yes'])).status).toBe('approved')
    const answer = await ask.ended
    expect([answer.code, JSON.parse(answer.stdout)]).toMatchObject([
      0,
      { params: { to: 'pond@example.com' }, grant_token: expect.any(String) },
    ])
    // An agent cannot decide.
    expect((await robot.run(['peck', 'approve', peck_id, '--yes'])).code).toBe(3)
  })

  it('are bonded with a handshake from standard input, and get new keys with a fresh sign-in', async () => {
    const owner = await aDuckling()
    const terminal = as(owner)
    const { agent_id, beak_key, handshake_token } = await terminal.json([
      'agent',
      'register',
      'Scout',
      '--can',
      'read:profile',
    ])
    const bond = ['agent', 'bond', agent_id, '-']
    expect((await terminal.run(bond, { input: handshake_token })).code).toBe(3)
    const env = { BEAK_KEY: beak_key }
    expect((await terminal.json(bond, { env, input: `${handshake_token}\n` })).status).toBe('bonded')
    const rotated = await terminal.json(['agent', 'rotate', agent_id, '--days', '7'])
    expect((await terminal.run(['whoami'], { env })).code).toBe(3)
    expect(await terminal.json(['whoami'], { env: { BEAK_KEY: rotated.beak_key } })).toMatchObject({
      agent_id,
      agent_name: 'Scout',
      status: 'bonded',
      capabilities: ['read:profile'],
      operator: { display_name: owner.displayName },
    })
  })

  it('are checked by id: 0 bonded, 4 suspended, 1 unknown', async () => {
    const owner = await aDuckling()
    const agent = await anAgent(owner)
    const terminal = aTerminal({ BEAK_URL: address() })
    expect((await terminal.run(['agent', 'verify', agent.agentId])).code).toBe(0)
    await suspendAgent(await owner.context(), agent.agentId)
    expect((await terminal.run(['agent', 'verify', agent.agentId])).code).toBe(4)
    expect((await terminal.run(['agent', 'verify', 'AGT-00000000000000000000000000'])).code).toBe(1)
  })

  it('are checked by a token, offline: 0 for this audience, 4 for another one or a changed token', async () => {
    const agent = await anAgent(await aDuckling())
    const { token } = (
      await call('POST /beak/agent/token', { key: agent.beakKey, body: { audience: 'shop.example' } })
    ).body
    const terminal = aTerminal({ BEAK_URL: address() })
    const check = (given: string, audience: string) =>
      terminal.run(['agent', 'verify', '-', '--audience', audience], { input: given })
    expect((await check(token, 'shop.example')).code).toBe(0)
    expect((await check(token, 'other.example')).code).toBe(4)
    expect((await check(`${token.slice(0, -8)}AAAAAAAA`, 'shop.example')).code).toBe(4)
  })
})

describe('pecks', () => {
  it('takes back an approval for the person who gave it, and for nobody else', async () => {
    const [asker, target] = [await aDuckling(), await aDuckling()]
    const { peck_id } = await anApprovedPeck(asker, target)
    for (const other of [asker, await aDuckling()])
      expect((await as(other).run(['peck', 'undo', peck_id])).code).toBe(1)
    const { superseded_by, grant_status } = await as(target).json(['peck', 'undo', peck_id])
    expect(grant_status).toBe('revoked')
    const { stdout } = await as(target).run(['peck', 'show', peck_id])
    expect(stdout).toMatch(new RegExp(`waits again as +${superseded_by}`))
    expect((await as(target).json(['peck', 'show', superseded_by])).status).toBe('pending')
  })

  it('end with 6 while nobody has decided, and with 1 after a rejection', async () => {
    const [asker, target] = [await aDuckling(), await aDuckling()]
    const { peck_id } = await aPeck(asker, target)
    expect((await as(asker).run(['peck', 'wait', peck_id, '--timeout', '0s'])).code).toBe(6)
    expect((await as(target).json(['peck', 'reject', peck_id, '--reason', 'Not today.'])).status).toBe(
      'rejected',
    )
    const { code, stdout } = await as(asker).run(['peck', 'wait', peck_id])
    expect([code, stdout]).toEqual([1, expect.stringMatching(/reason +Not today\./)])
    expect((await as(target).run(['peck', 'reject', peck_id])).code).toBe(1)
  })

  it('list the risk and the value that decides, for people', async () => {
    const [operator, target] = [await aDuckling(), await aDuckling()]
    const agent = await anAgent(operator)
    await aPeck(agent, target, { action: 'transfer:money', params: { amount: 4800, currency: 'EUR' } })
    await aPeck(operator, target, { action: 'send:mail', params: { aim: 'None', to: 'b\u043ess@corp.com' } })
    const { stdout } = await as(target).run(['peck', 'list'])
    expect(stdout).toMatch(/RISK +ACTION +VALUE/)
    expect(stdout).toMatch(/high +transfer:money +€4,800\.00/)
    expect(stdout).toMatch(/send:mail +b\u043ess@corp\.com \(warning\)/)
    const filtered = ['peck', 'list', '--asker', agent.agentId, '--action', 'transfer:money', '--json']
    expect(await as(target).json(filtered)).toMatchObject({ items: [{ risk: { level: 'high' } }] })
    const robot = aTerminal({ BEAK_URL: address(), BEAK_KEY: agent.beakKey })
    expect((await robot.run(['peck', 'list'])).stdout).toContain('transfer:money')
  })

  it('are listed in parts, each with the cursor of the next', async () => {
    const [asker, target] = [await aDuckling(), await aDuckling()]
    const asked: string[] = []
    for (const action of ['read:a', 'read:b', 'read:c'])
      asked.unshift((await aPeck(asker, target, { action })).peck_id)
    const list = ['peck', 'list', '--limit', '2']
    const first = await as(asker).json(list)
    const rest = await as(asker).json([...list, '--cursor', first.next_cursor])
    const ids = [first, rest].map(({ items }) => items.map(({ peck_id }: { peck_id: string }) => peck_id))
    expect([ids, rest.next_cursor]).toEqual([[asked.slice(0, 2), asked.slice(2)], null])
    const { stderr } = await as(asker).run(list)
    expect(stderr).toContain(`Go on with: --cursor ${first.next_cursor}`)
  })

  it('ask for the action at a high risk, and approve nothing after another word', {
    timeout: 60_000,
  }, async ({ skip }) => {
    if (!hasScript) skip('there is no pseudo-terminal')
    const [asker, target] = [await aDuckling(), await aDuckling()]
    const { peck_id } = await aPeck(asker, target, { action: 'delete:database' })
    for (const [word, code] of [
      ['yes', 1],
      ['delete:database', 0],
    ] as const) {
      const terminal = as(target).startInTerminal(['peck', 'approve', peck_id])
      await terminal.until(/Risk: high[\s\S]*Type delete:database:/)
      terminal.child.stdin.write(`${word}\n`)
      expect((await terminal.ended).code).toBe(code)
      const { status } = await as(target).json(['peck', 'show', peck_id])
      expect(status).toBe(code === 0 ? 'approved' : 'pending')
    }
  })

  it('are decided together, without those of high risk', async () => {
    const [asker, target] = [await aDuckling(), await aDuckling()]
    await anApprovedPeck(asker, target)
    const ids = []
    for (const action of ['read:calendar', 'read:notes', 'delete:database'])
      ids.push((await aPeck(asker, target, { action })).peck_id)
    const { code, stdout } = await as(target).run(['peck', 'decide', 'approve', ...ids])
    expect([code, stdout]).toEqual([1, expect.stringMatching(/pending +high risk: approve it on its own/)])
    const rejected = await as(target).json(['peck', 'decide', 'reject', ids[2] ?? '', '--reason', 'Never.'])
    expect(rejected).toMatchObject({ items: [{ outcome: 'decided', status: 'rejected' }] })
    expect((await as(target).run(['peck', 'decide', 'approve'])).code).toBe(2)
  })

  it('are asked for with types of parameters and an audience', async () => {
    const [asker, target] = [await aDuckling(), await aDuckling()]
    const given = ['--param', 'total=12', '--type', 'total=money', '--audience', 'shop.example']
    expect(await as(asker).json(['peck', 'ask', target.id, 'place:order', ...given])).toMatchObject({
      param_types: { total: 'money' },
      audience: 'shop.example',
    })
  })

  it('are asked for with an invitation link, and with the action that it allows', async () => {
    const [asker, target] = [await aDuckling(), await aDuckling()]
    const make = async (body: object) =>
      (await call('POST /beak/invitation/create', { token: target.token, body })).body.url
    const any = await make({})
    expect(await as(asker).json(['ask', any])).toMatchObject({ target: any, action: null })
    expect(await as(asker).json(['ask', any, 'read:mail'])).toMatchObject({ target_duckling_id: target.id })
    const one = await make({ action: 'read:calendar' })
    expect(await as(asker).json(['ask', one])).toMatchObject({ action: 'read:calendar' })
    expect((await as(asker).run(['ask', target.id])).code).toBe(2)
  })

  it('pass on what a service demands of an approval, and show it', async () => {
    const [asker, target] = [await aDuckling(), await aDuckling()]
    const terminal = as(asker)
    const ask = (...options: string[]) => terminal.json(['peck', 'ask', target.id, 'place:order', ...options])
    expect(await ask('--require-signed')).toMatchObject({ require: 'signed' })
    const code_hash = 'A'.repeat(43)
    const peck = await ask('--challenge', 'order-17', '--code-hash', code_hash)
    expect(peck).toMatchObject({ require: 'signed', challenge: 'order-17', code_hash })
    const { stdout } = await terminal.run(['peck', 'show', peck.peck_id])
    expect(stdout).toContain(
      'the signature of a passkey, with the challenge order-17, and the code that the service shows',
    )
    const plain = await ask()
    expect(plain).not.toHaveProperty('require')
    expect((await terminal.run(['peck', 'show', plain.peck_id])).stdout).not.toContain('demands')
    const wrong = ['peck', 'ask', target.id, 'place:order', '--code-hash', 'no hash']
    expect((await terminal.run(wrong)).code).toBe(1)
  })

  it('show no characters that a terminal obeys', async () => {
    const [asker, target] = [await aDuckling(), await aDuckling()]
    const { peck_id } = await aPeck(asker, target, {
      message: 'a\u009b31mred\u202egnp',
      params: { x: '\u001b[2J\u0085' },
    })
    const shown = await as(target).run(['peck', 'show', peck_id])
    expect(shown.stdout).toContain('a�31mred�gnp')
    for (const { stdout } of [shown, await as(target).run(['peck', 'show', peck_id, '--json'])])
      expect(stdout).not.toMatch(obeyed)
    expect((await as(target).json(['peck', 'show', peck_id])).message).toBe('a\u009b31mred\u202egnp')
  })
})

describe('certificates', () => {
  it('are checked online and offline: 0 valid, 4 revoked, changed or of another service', {
    timeout: 60_000,
  }, async () => {
    const owner = await aDuckling()
    const { cert_id, credential } = await issueCertificate(await owner.context())
    const terminal = aTerminal({ BEAK_URL: address() })
    const online = () => terminal.run(['cert', 'verify', cert_id])
    const offline = (given: string) => terminal.run(['cert', 'verify', given])
    expect([
      (await online()).code,
      (await offline(credential)).code,
      (await offline(file({ credential }))).code,
    ]).toEqual([0, 0, 0])
    expect((await as(owner).json(['cert', 'show'])).cert_id).toBe(cert_id)
    expect((await offline(`${credential.slice(0, -8)}AAAAAAAA`)).code).toBe(4)
    const other = await terminal.run(['cert', 'verify', credential, '--url', 'http://localhost:9'])
    expect(other.code).toBe(5)
    await revokeCertificate(await owner.context(), 'Lost.')
    expect((await online()).code).toBe(4)
    // The service renews its status list every five seconds.
    await expect.poll(async () => (await offline(credential)).code, { timeout: 20_000 }).toBe(4)
    expect((await offline(credential)).stderr).toContain('revoked')
    expect((await terminal.run(['cert', 'verify', 'CERT-00000000000000000000000000'])).code).toBe(1)
  })
})

describe('receipts and audit logs', () => {
  it('are valid as the service gives them, and not after any change', { timeout: 60_000 }, async () => {
    const [asker, target] = [await aDuckling(), await aDuckling()]
    const { peck_id } = await anApprovedPeck(asker, target)
    const terminal = as(target)
    const receipt = await terminal.json(['api', 'getOutcomeReceipt', `peck_id=${peck_id}`])
    await appendNow()
    const log = await terminal.json(['api', 'exportAccount'])
    const head = await terminal.json(['api', 'getAuditHead'])
    const verify = (what: string, content: unknown, ...options: string[]) =>
      terminal.run([what, 'verify', file(content), ...options])
    for (const trust of [[], ['--jwks', `${address()}/.well-known/jwks.json`]]) {
      expect((await verify('receipt', receipt, '--require', 'service', ...trust)).code).toBe(0)
      expect((await verify('receipt', receipt, ...trust)).code).toBe(4)
    }
    // Anybody can make a receipt with keys in it.
    expect((await verify('receipt', receipt, '--require', 'service', '--offline')).code).toBe(4)
    expect((await verify('audit', log, '--offline')).code).toBe(0)
    expect((await verify('audit', log, '--head', file(head))).code).toBe(0)
    await anAgent(target)
    const later = file(await terminal.json(['api', 'getAuditHead']))
    expect((await verify('audit', log, '--head', later)).code).toBe(4)

    await appendNow()
    const [key = ''] = (await terminal.run(['api', 'getLogVerifierKeys'])).stdout.split('\n')
    const checkpoint = (await terminal.run(['api', 'getLogCheckpoint'])).stdout
    // The log has an entry of an event that the earlier export lacks.
    const current = await terminal.json(['api', 'exportAccount'])
    const withLog = (note: string) => verify('audit', current, '--vkey', key, '--checkpoint', file(note))
    const checked = await withLog(checkpoint)
    expect([checked.code, checked.stderr]).toEqual([0, ''])
    expect(checked.stdout).toContain('transparency log')
    expect((await withLog(checkpoint.replace(/\n\d+\n/, '\n1\n'))).code).toBe(4)
    const unpinned = await verify('audit', current, '--checkpoint', file(checkpoint))
    expect([unpinned.code, unpinned.stdout]).toEqual([
      0,
      expect.stringContaining('The keys of the log came from the files.'),
    ])

    const changedReceipt = JSON.parse(JSON.stringify(receipt).replaceAll('read:profile', 'read:everything'))
    const changedLog = structuredClone(log)
    changedLog.audit.events[1].outcome = 'denied'
    for (const trust of [['--require', 'service'], ['--offline']])
      expect(await verify('receipt', changedReceipt, ...trust)).toMatchObject({ code: 4, stdout: '' })
    expect(await verify('audit', changedLog)).toMatchObject({ code: 4, stdout: '' })
    expect(JSON.parse((await verify('audit', changedLog, '--json')).stdout).ok).toBe(false)
    expect((await verify('audit', await terminal.json(['api', 'listAuditEvents']))).code).toBe(4)
    // The keys of another service do not fit.
    const strange = file({ keys: [] })
    expect(await verify('receipt', receipt, '--require', 'service', '--jwks', strange)).toMatchObject({
      code: 4,
      stdout: '',
    })
    expect((await verify('audit', log, '--jwks', strange)).code).toBe(4)
  })
})

describe('the receipt of an outcome', () => {
  // security: database-5
  it('is accepted only as it is required and expected, and never without a requirement', {
    timeout: 60_000,
  }, async () => {
    const [asker, target] = [await aDuckling(), await aDuckling()]
    const params = { to: 'pond@example.com' }
    const { peck_id } = await aPeck(asker, target, { params, audience: 'shop.example' })
    const terminal = as(target)
    await terminal.run(['peck', 'reject', peck_id, '--reason', 'Not now'])
    const receipt = await terminal.json(['api', 'getOutcomeReceipt', `peck_id=${peck_id}`])
    const look = (content: unknown, ...options: string[]) =>
      terminal.run(['receipt', 'verify', file(content), ...options])
    const verify = (content: unknown, ...options: string[]) =>
      look(content, '--require', 'service', '--expect-outcome', 'rejected', ...options)

    const seen = await look(receipt)
    expect([seen.code, seen.stderr]).toEqual([4, expect.stringContaining('Nothing was required')])
    expect(seen.stdout).toMatch(/Rejected.*"to": "pond@example.com".*no signature of a passkey/s)
    const { values: _, ...hidden } = receipt
    expect((await look(hidden)).stdout).not.toContain('pond@example.com')

    const exact = ['--param', 'to=pond@example.com', '--audience', 'shop.example', '--target', target.id]
    const recent = ['--signed-within', '1h', '--decided-within', '1h']
    const checked = await verify(receipt, '--expect-action', receipt.statement.action, ...exact, ...recent)
    expect([checked.code, checked.stderr]).toEqual([0, ''])
    expect(checked.stdout).toContain('The receipt is as required')
    // By default only an approval is accepted.
    expect(await look(receipt, '--require', 'service')).toMatchObject({ code: 4, stdout: '' })
    for (const other of [
      ['--require', 'signed'],
      ['--expect-action', 'sell:house'],
      ['--param', 'to=mallory@example.com'],
      ['--params', file({})],
      ['--audience', 'other.example'],
      ['--target', asker.id],
    ])
      expect(await verify(receipt, ...other), other.join(' ')).toMatchObject({ code: 4, stdout: '' })
    expect((await verify(hidden, '--param', 'to=pond@example.com')).code).toBe(4)
    expect(JSON.parse((await look(receipt, '--json')).stdout)).toMatchObject({
      ok: false,
      trust: 'service',
      fault: { reason: 'requirement' },
    })

    expect(await verify({ ...receipt, outcome: 'approved' })).toMatchObject({ code: 4, stdout: '' })
    for (const wrong of [
      ['--vkey', 'no key'],
      ['--jwks', file({})],
      ['--require', 'proven'],
      ['--require', 'all'],
      ['--expect-outcome', 'yes'],
      ['--quorum', '1'],
    ])
      expect(await verify(receipt, ...wrong), wrong.join(' ')).toMatchObject({ code: 2, stdout: '' })
    // Keys that cannot be read prove nothing, also not that the receipt is false.
    expect(await verify(receipt, '--url', 'http://localhost:9')).toMatchObject({ code: 5, stdout: '' })
    expect((await look(receipt, '--offline')).stdout).toMatch(/keys +from the receipt itself/)
    expect(await verify(receipt, '--witness', 'w+1+A')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--vkey'),
    })
  })
})

describe('a receipt of version 3', () => {
  const kept = es256Passkey(31)
  const statement = statementOf3({ approver: null, test: false })
  const receiptOf = (facts: Partial<typeof statement> = {}) => {
    const signed = statementOf3(facts)
    const { statement_text } = makeReceipt({ statement: signed })
    return makeReceipt({ statement: signed, passkey: proof3(assertion(kept, statement_text)) })
  }
  const verify = (receipt: object, ...options: string[]) =>
    aTerminal().run([
      'receipt',
      'verify',
      file(receipt),
      '--jwks',
      file({ keys: [signingKey.jwk] }),
      ...options,
    ])

  it('is accepted with a pin of its passkey, its challenge and its terms', { timeout: 60_000 }, async () => {
    const pin = `${kept.credentialId}:${kept.publicKey}`
    const other = es256Passkey(32)
    const receipt = receiptOf()
    const pinned = ['--require', 'pinned', '--pin', `${other.credentialId}:${other.publicKey}`, '--pin', pin]
    const checked = await verify(receipt, ...pinned, '--challenge', statement.challenge ?? '')
    expect([checked.code, checked.stderr]).toEqual([0, ''])
    for (const wrong of [
      ['--require', 'pinned', '--pin', `${other.credentialId}:${other.publicKey}`],
      [...pinned, '--challenge', 'order-18'],
      [...pinned, '--approver', 'https://approve.example'],
    ])
      expect(await verify(receipt, ...wrong), wrong.join(' ')).toMatchObject({ code: 4, stdout: '' })
    for (const wrong of [
      ['--require', 'pinned'],
      ['--require', 'pinned', '--pin', kept.credentialId],
      ['--require', 'pinned', '--pin', `${pin}:${pin}`],
    ])
      expect(await verify(receipt, ...wrong), wrong.join(' ')).toMatchObject({ code: 2, stdout: '' })
  })

  // security: site-20
  it('is compared with an approver only beside a pin, because anybody can claim its origin', async () => {
    const site = 'https://approve.example'
    const receipt = receiptOf({ approver: site })
    for (const require of [[], ['--require', 'signed']])
      expect(await verify(receipt, ...require, '--approver', site)).toMatchObject({
        code: 2,
        stdout: '',
        stderr: expect.stringContaining('--approver needs --pin'),
      })
  })

  it('of a person who exists only for tests is accepted with --allow-test', { timeout: 60_000 }, async () => {
    const receipt = receiptOf({ test: true })
    expect((await verify(receipt, '--require', 'signed')).code).toBe(4)
    expect((await verify(receipt, '--require', 'signed', '--allow-test')).code).toBe(0)
  })
})

describe('webhook listen', () => {
  const types = (bodies: { body: string }[]) => bodies.map(({ body }) => JSON.parse(body).type)

  it('verifies and forwards what a service on this computer delivers, and deletes its webhook at the end', async () => {
    const owner = await aDuckling()
    const receiver = await aReceiver()
    const listen = as(owner).start([
      'webhook',
      'listen',
      '--forward',
      receiver.url,
      '--kind',
      'agent.registered',
      '--json',
    ])
    const [, secret = ''] = await listen.until(/Secret: (\S+)/)
    const [endpoint] = (await call('GET /beak/webhook/list', { token: owner.token })).body.items
    const forged = await fetch(endpoint.url, {
      method: 'POST',
      body: '{}',
      headers: { 'webhook-id': 'MSG-1' },
    })
    expect(forged.status).toBe(401)
    const arrived = receiver.next()
    await anAgent(owner)
    await drainOutbox()
    const { body, headers } = await arrived
    expect(new Webhook(secret).verify(body, headers)).toMatchObject({ type: 'agent.registered' })
    await listen.until(/"type":"agent.registered"/)
    listen.child.kill('SIGINT')
    const { code, stdout } = await listen.ended
    expect([code, JSON.parse(stdout)]).toMatchObject([
      0,
      { type: 'agent.registered', status: 200, message_id: headers['webhook-id'] },
    ])
    expect(types(receiver.requests)).toEqual(['agent.registered'])
    expect((await call('GET /beak/webhook/list', { token: owner.token })).body.items).toEqual([])
  })

  it('repeats the deliveries of a webhook with a public address, as the service sends them', {
    timeout: 20_000,
  }, async () => {
    const [original, local] = [
      await aReceiver(),
      await aReceiver((response) => response.writeHead(500).end()),
    ]
    const { owner, id } = await aWebhook(original.url, { owner: await aDuckling() })
    await anAgent(owner)
    await drainOutbox()
    const secret = `whsec_${Buffer.from('a secret of twenty-four b').toString('base64')}`
    const listen = as(owner).start([
      'webhook',
      'listen',
      '--webhook',
      id,
      '--forward',
      local.url,
      '--secret',
      secret,
    ])
    await listen.until(/Following/)
    const arrived = local.next()
    await issueCertificate(await owner.context())
    await drainOutbox()
    const { body, headers } = await arrived
    expect(new Webhook(secret).verify(body, headers)).toMatchObject({ type: 'cert.issued' })
    const sent = original.requests.at(-1)
    expect([body, headers['webhook-id']]).toEqual([sent?.body, sent?.headers['webhook-id']])
    await listen.until(/cert\.issued {2}MSG-\w+ {2}→ 500/)
    listen.child.kill('SIGINT')
    expect((await listen.ended).code).toBe(0)
    expect(types(local.requests)).toEqual(['cert.issued'])
  })

  it('says what to do when the service sends nothing to private addresses', async () => {
    const owner = await aDuckling()
    useConfig({ webhookAllowPrivate: false })
    onTestFinished(() => void useConfig({ webhookAllowPrivate: true }))
    const { code, stderr } = await as(owner).run(['webhook', 'listen'])
    expect([code, stderr]).toEqual([1, expect.stringContaining('--webhook WHK-')])
  })
})

describe('api', () => {
  it('reaches every operation of the API', async () => {
    const terminal = aTerminal({ BEAK_URL: address() })
    const listed = await terminal.json(['api'])
    expect(listed.items.map(({ operation }: { operation: string }) => operation)).toEqual(
      Object.keys(operations),
    )
    expect((await terminal.run(['api', 'listDucklings'])).code).toBe(0)
    expect((await terminal.run(['api', 'listPecks'])).code).toBe(3)
    const reference = await terminal.json(['api', 'getOpenapi'])
    const ids = Object.values(reference.paths as Record<string, Record<string, { operationId: string }>>)
      .flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId))
      .filter((id) => id !== 'streamPecks')
    expect(Object.keys(operations).sort()).toEqual(ids.sort())
  })

  it('reads fields as the types that they have, from arguments and standard input', async () => {
    const owner = await aDuckling()
    const terminal = as(owner)
    expect(
      (await terminal.json(['api', 'updateProfile', 'directory_visible=false', 'bio=Dabbles = daily'])).bio,
    ).toBe('Dabbles = daily')
    const body = JSON.stringify({ agent_name: 'Scout', agent_type: 'assistant' })
    const registered = await terminal.json(
      ['api', 'registerAgent', '--input', '-', 'capabilities=["read:peck"]'],
      { input: body },
    )
    expect(registered.capabilities).toEqual(['read:peck'])
    expect((await terminal.json(['api', 'listAgents', 'limit=1'])).items).toHaveLength(1)
    expect((await terminal.run(['api', 'listAgents', 'limit=some'])).code).toBe(2)
    expect((await terminal.run(['api', 'constructor'])).code).toBe(2)
    const refused = await terminal.run(['api', 'updateProfile', 'constructor=x'])
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('E4000')])
  })

  it('follows the stream of pecks', async () => {
    const [asker, target] = [await aDuckling(), await aDuckling()]
    const stream = as(target).start(['api', 'streamPecks'])
    await stream.until(/"ready"/)
    const { peck_id } = await aPeck(asker, target)
    await stream.until(new RegExp(peck_id))
    stream.child.kill('SIGINT')
    expect((await stream.ended).code).toBe(130)
  })
})

describe('the command line', () => {
  const terminal = aTerminal()

  it('has the same exit code and output as a process of its own', async () => {
    const owner = await aDuckling()
    const { credential } = await issueCertificate(await owner.context())
    const changed = `${credential.slice(0, -8)}AAAAAAAA`
    const lines: [words: string[], code: number][] = [
      [['cert', 'show'], 0],
      [['agent', 'verify', 'AGT-00000000000000000000000000', '--json'], 1],
      [['unknown'], 2],
      [['whoami', '--url', 'http://localhost:9'], 5],
      [['cert', 'verify', changed], 4],
      [['--version'], 0],
    ]
    for (const [words, code] of lines) {
      const ended = await as(owner).start(words).ended
      expect([words, ended.code]).toEqual([words, code])
      expect(await as(owner).run(words), words.join(' ')).toEqual(ended)
    }
  })

  it.each([
    [[]],
    [['peck']],
    [['unknown']],
    [['whoami', '--unknown']],
    [['peck', 'list', '--status', 'lost']],
    [['cert', 'verify', 'CERT-1']],
    [['whoami', '--url', 'ftp://x']],
  ])('ends with 2 for %j', async (words) => {
    const { code, stdout, stderr } = await terminal.run(words)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).not.toMatch(/at .*\.mjs/)
  })

  it.each([['whoami'], ['logout'], ['peck', 'list'], ['agent', 'list']])(
    'ends with 3 for %j when nobody is signed in at any service',
    async (...words) => {
      const { code, stdout } = await terminal.run([...words, '--json'])
      expect([code, JSON.parse(stdout)]).toEqual([
        3,
        {
          success: false,
          reason: 'not_signed_in',
          detail: 'You are not signed in at any service.',
          action: 'Sign in with: beak login --url <address>',
          exit: 3,
        },
      ])
    },
  )

  it.each([
    ['an unknown command', ['unknown'], { reason: 'usage', exit: 2 }],
    ['an unknown option', ['whoami', '--unknown'], { reason: 'usage', exit: 2 }],
    ['a group of commands', ['peck'], { reason: 'usage', exit: 2 }],
    [
      'a service that does not answer',
      ['api', 'getService', '--url', 'http://127.0.0.1:9'],
      { reason: 'unreachable', exit: 5 },
    ],
    [
      'a refusal of the service',
      ['agent', 'verify', 'AGT-00000000000000000000000000', '--url', 'service'],
      { reason: 'agent_not_registered', code: 'E4005', action: expect.any(String), exit: 1 },
    ],
    [
      'fields at fault',
      ['api', 'signUp', 'email=nobody', 'display_name=Mallard', '--url', 'service'],
      {
        reason: 'invalid_request',
        errors: [{ field: 'email', message: 'must be an email address, like ann@example.org' }],
        exit: 1,
      },
    ],
  ])('with --json, prints %s as JSON', async (_, words, expected) => {
    const line = words.map((word) => (word === 'service' ? address() : word))
    const { code, stdout, stderr } = await terminal.run([...line, '--json'])
    const refusal = JSON.parse(stdout)
    expect([code, refusal]).toEqual([
      refusal.exit,
      expect.objectContaining({ success: false, detail: expect.any(String), ...expected }),
    ])
    expect(stderr).toContain(refusal.detail)
  })

  it('prints one JSON document when a result is no success', async () => {
    const { peck_id } = await aPeck(await aDuckling(), await aDuckling())
    const refused = await terminal.run(['peck', 'show', peck_id, '--json'], {
      env: { BEAK_URL: address(), BEAK_TOKEN: 'ended' },
    })
    expect([refused.code, JSON.parse(refused.stdout).reason]).toEqual([3, 'session_invalid'])
    const owner = await aDuckling()
    const agent = await anAgent(owner)
    await suspendAgent(await owner.context(), agent.agentId)
    const suspended = await terminal.run(['agent', 'verify', agent.agentId, '--url', address(), '--json'])
    expect([suspended.code, JSON.parse(suspended.stdout)]).toMatchObject([4, { valid: false }])
  })

  it.each([
    ['whoami', ['extra']],
    ['peck wait', []],
    ['peck list', ['--limit']],
    ['completion', ['tcsh']],
  ])('refuses %s with the arguments %j', (name, words) => {
    const command = commands.find((one) => one.name === name)
    expect(() => command && parse(command, words)).toThrow(Exit)
  })

  it('ends with 5 when nothing answers, or something else does', async () => {
    const server = createServer((_, response) => response.end('<html>')).listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await new Promise((resolve) => server.once('listening', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    for (const place of [url, 'http://127.0.0.1:9'])
      expect((await terminal.run(['api', 'getService', '--url', place])).code).toBe(5)
  })

  it.each(commands.map((command) => [command.name, command] as const))('explains %s', (name, command) => {
    const help = commandHelp(command)
    expect(help).toContain(`Usage: beak ${name}`)
    expect(command.summary).toMatch(/^[A-Z][^.]*\.$/)
    for (const option of Object.keys(command.options ?? {})) expect(help).toContain(`--${option}`)
    expect(overviewHelp(commands)).toContain(command.summary)
  })

  it('has every command and exit code in the README', () => {
    const readme = readFileSync('packages/client/README.md', 'utf8')
    for (const { name } of commands) expect(readme).toContain(`\`beak ${name}\``)
    for (const code of Object.values(exitCodes)) expect(readme).toContain(`\n| ${code} | `)
  })

  it('prints the help of the program, a group and a command', async () => {
    const help = async (...words: string[]) => {
      const { code, stdout } = await terminal.run(words)
      return [code, stdout.trim()]
    }
    const [command] = commands.filter(({ name }) => name === 'peck ask')
    expect(await help('--help')).toEqual([0, overviewHelp(commands)])
    expect(await help('peck', '--help')).toEqual([0, overviewHelp(commands, 'peck')])
    expect(await help('peck', 'ask', '--help')).toEqual([0, command ? commandHelp(command) : ''])
  })

  it('prints no colours into a pipe', async () => {
    const { stdout } = await as(await aDuckling()).run(['whoami'])
    expect(stdout).not.toMatch(obeyed)
  })

  it('completes commands, options and values in bash', async () => {
    const { stdout: script } = await terminal.run(['completion', 'bash'])
    const complete = (...words: string[]) => {
      const quoted = ['beak', ...words].map((word) => `'${word}'`).join(' ')
      const text = `beak() { '${process.execPath}' '${program}' "$@"; }
${script}
COMP_WORDS=(${quoted}); COMP_CWORD=${words.length}; compopt() { :; }; _beak; printf '%s\\n' "\${COMPREPLY[@]}"`
      return execFileSync('bash', ['-c', text], { encoding: 'utf8' }).trim().split('\n')
    }
    expect(complete('pe')).toEqual(['peck'])
    expect(complete('peck', 'a')).toEqual(['ask', 'approve'])
    expect(complete('peck', 'list', '--st')).toEqual(['--status'])
    expect(complete('peck', 'list', '--status', 're')).toEqual(['rejected'])
    expect(complete('api', 'getOutcome')).toEqual(['getOutcomeReceipt'])
    expect(complete('api', 'getOutcomeReceipt', '')).toContain('peck_id=')
    expect(complete('completion', '')).toEqual(expect.arrayContaining(['bash', 'zsh', 'fish']))
  })
})
