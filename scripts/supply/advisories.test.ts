import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { createGunzip } from 'node:zlib'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { npmCommand } from '../prepare.mjs'
import { checkAdvisories, judgeAudit } from './advisories.mjs'
import { runCommand } from './run-command.mjs'

const clean = { failed: false, lines: ['No known vulnerability in the production dependencies.'] }
const notChecked = (reason: string) => ({
  failed: false,
  lines: [`Not checked: the registry did not answer the audit (${reason}).`],
})

// security: check-76
describe('judgeAudit', () => {
  it('passes and names the reason when npm prints only an error', () => {
    const offline = { error: { code: 'ECONNREFUSED', summary: 'connect\nrefused', detail: '' } }
    expect(judgeAudit({ code: 1, stdout: JSON.stringify(offline) })).toEqual(
      notChecked('ECONNREFUSED connect refused'),
    )
  })

  it('fails when npm finds no lock file', () => {
    const missing = { error: { code: 'ENOLOCK', summary: 'This command requires an existing lockfile.' } }
    expect(judgeAudit({ code: 1, stdout: JSON.stringify(missing) })).toMatchObject({
      failed: true,
      lines: [expect.stringContaining('npm audit cannot read this folder: ENOLOCK This command')],
    })
  })

  it.each([
    ['is empty', ''],
    ['is broken JSON', '{"vulnerabilities": {"next"'],
    ['is JSON of another form', '[]'],
    ['is null', 'null'],
  ])('passes and says so when the output %s', (_, stdout) => {
    expect(judgeAudit({ code: 1, stdout })).toEqual(notChecked('npm audit printed no report (exit code 1)'))
  })

  it('passes and says so after the time limit, also with a whole report', () => {
    expect(judgeAudit({ code: null, stdout: '{"vulnerabilities":{}}', timedOut: true })).toEqual(
      notChecked('no answer within 60 s'),
    )
  })
})

// security: check-76
describe('checkAdvisories with npm and a registry', () => {
  /** What the registry answers to the audit: advisories by package, a status, or nothing at all. */
  let answer: { advisories?: Record<string, string>; status?: number; hangs?: boolean } = {}
  let asked: string[] = []
  const server = createServer(async (request, response) => {
    if (request.method !== 'POST') return void response.writeHead(404).end('{}')
    asked = Object.keys(JSON.parse(await text(request.pipe(createGunzip()))))
    if (answer.hangs) return
    const found = Object.entries(answer.advisories ?? {}).filter(([name]) => asked.includes(name))
    const url = 'https://github.com/advisories/GHSA-0000'
    const advisories = found.map(([name, severity]) => [
      name,
      [{ id: 1, url, title: 'Bad things', severity, vulnerable_versions: '*' }],
    ])
    response.writeHead(answer.status ?? 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(Object.fromEntries(advisories)))
  })
  let env: Record<string, string> = {}
  let registry = ''

  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('the registry has no port')
    registry = `http://127.0.0.1:${address.port}`
  })
  // npm keeps advisories in its cache, and neither this machine nor another test may learn ours.
  beforeEach(() => {
    const npm_config_cache = mkdtempSync(join(tmpdir(), 'beak-npm-'))
    env = { npm_config_registry: registry, npm_config_cache, npm_config_noproxy: '127.0.0.1' }
  })
  afterEach(() => rmSync(env.npm_config_cache ?? '', { recursive: true }))
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })

  // security: supply-3
  it.each(['moderate', 'high', 'critical'])('fails on an advisory of severity %s', async (severity) => {
    // Development packages use nodemailer too.
    answer = { advisories: { nodemailer: severity } }
    const { failed, lines } = await checkAdvisories(env)
    expect(lines).toContain(`${severity}: nodemailer`)
    expect(failed).toBe(true)
  })

  it('prints an advisory of severity low and passes', async () => {
    answer = { advisories: { uqr: 'low' } }
    expect(await checkAdvisories(env)).toMatchObject({
      failed: false,
      lines: ['low: uqr', expect.stringContaining('npm audit')],
    })
  })

  it('does not ask about development dependencies', async () => {
    answer = { advisories: { vitest: 'critical' } }
    expect(await checkAdvisories(env)).toEqual(clean)
    expect(asked).toContain('nodemailer')
    expect(asked).not.toContain('vitest')
  })

  // security: supply-3
  it('passes when the registry refuses the audit', async () => {
    answer = { status: 405 }
    const { failed, lines } = await checkAdvisories(env)
    expect(failed).toBe(false)
    expect(lines).toEqual([
      expect.stringMatching(/^Not checked: the registry did not answer the audit \(405 /),
    ])
  })

  it('stops an npm whose registry never answers', async () => {
    answer = { hangs: true }
    const run = await runCommand(npmCommand, ['audit', '--omit=dev', '--json'], { limitMs: 2_000, env })
    expect(run).toMatchObject({ code: null, timedOut: true })
  })
})
