import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { createGunzip } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkAdvisories, judgeAudit } from './advisories.mjs'
import { runNpm } from './npm.mjs'

/** A report as npm 11 prints it. Each package has one advisory of its own, or is vulnerable through another package. */
function report(packages: Record<string, { severity: string; through?: string }>): string {
  const vulnerabilities = Object.entries(packages).map(([name, { severity, through }]) => [
    name,
    {
      name,
      severity,
      isDirect: true,
      via: through
        ? [through]
        : [
            {
              source: 1,
              name,
              dependency: name,
              title: `Bad things in ${name}`,
              url: 'https://github.com/advisories/GHSA-0000',
              severity,
              cwe: ['CWE-79'],
              cvss: { score: 7.5, vectorString: null },
              range: '<2.0.0',
            },
          ],
      effects: [],
      range: '<2.0.0',
      nodes: [`node_modules/${name}`],
      fixAvailable: false,
    },
  ])
  return JSON.stringify({
    auditReportVersion: 2,
    vulnerabilities: Object.fromEntries(vulnerabilities),
    metadata: { dependencies: { prod: 323, dev: 79, optional: 133, peer: 0, peerOptional: 0, total: 510 } },
  })
}

const clean = { failed: false, lines: ['No known vulnerability in the production dependencies.'] }
const notChecked = (reason: string) => ({
  failed: false,
  lines: [`Not checked: the registry did not answer the audit (${reason}).`],
})

describe('judgeAudit', () => {
  it('passes a clean report in one line', () => {
    expect(judgeAudit({ code: 0, stdout: report({}) })).toEqual(clean)
  })

  it.each(['moderate', 'high', 'critical', 'unheard of'])(
    'fails on an advisory of severity %s',
    (severity) => {
      const { failed, lines } = judgeAudit({
        code: 1,
        stdout: report({ nodemailer: { severity }, 'next-auth': { severity, through: 'nodemailer' } }),
      })
      expect(failed).toBe(true)
      expect(lines).toEqual([
        `${severity}: nodemailer: Bad things in nodemailer (<2.0.0), https://github.com/advisories/GHSA-0000`,
        `${severity}: next-auth: through nodemailer`,
        expect.stringContaining('Update these packages'),
      ])
    },
  )

  it.each(['low', 'info'])('prints an advisory of severity %s and passes', (severity) => {
    const { failed, lines } = judgeAudit({ code: 1, stdout: report({ uqr: { severity } }) })
    expect(failed).toBe(false)
    expect(lines).toEqual([expect.stringMatching(`^${severity}: uqr: `)])
  })

  it('passes and names the reason when the registry refuses the audit', () => {
    const refused = {
      message: '405 Method Not Allowed - POST https://registry.npmjs.org/-/npm/v1/security/advisories/bulk',
      method: 'POST',
      statusCode: 405,
      body: '',
      error: { summary: '', detail: '' },
    }
    expect(judgeAudit({ code: 1, stdout: JSON.stringify(refused, null, 2) })).toEqual(
      notChecked(refused.message),
    )
  })

  it('passes and names the reason when npm prints only an error', () => {
    const offline = { error: { code: 'ECONNREFUSED', summary: 'connect\nrefused', detail: '' } }
    expect(judgeAudit({ code: 1, stdout: JSON.stringify(offline) })).toEqual(
      notChecked('ECONNREFUSED connect refused'),
    )
  })

  it('fails when npm finds no lock file', () => {
    const missing = { error: { code: 'ENOLOCK', summary: 'This command requires an existing lockfile.' } }
    const { failed, lines } = judgeAudit({ code: 1, stdout: JSON.stringify(missing) })
    expect(failed).toBe(true)
    expect(lines).toEqual([
      expect.stringContaining('npm audit cannot read this folder: ENOLOCK This command'),
    ])
  })

  it.each([
    ['is empty', ''],
    ['is broken JSON', '{"vulnerabilities": {"next"'],
    ['is JSON of another form', '[]'],
    ['is null', 'null'],
  ])('passes and says so when the output %s', (_, stdout) => {
    expect(judgeAudit({ code: 1, stdout })).toEqual(notChecked('npm audit printed no report (exit code 1)'))
  })

  it('passes and says so after the time limit, also with a part of a report', () => {
    expect(judgeAudit({ code: null, stdout: report({}), timedOut: true })).toEqual(
      notChecked('no answer within 60 s'),
    )
  })
})

describe('checkAdvisories with npm and a registry', () => {
  /** What the registry answers to the audit: advisories by package, a status, or nothing at all. */
  let answer: { advisories?: Record<string, string>; status?: number; hangs?: boolean } = {}
  let asked: string[] = []
  const server = createServer(async (request, response) => {
    if (request.method !== 'POST') return void response.writeHead(404).end('{}')
    asked = Object.keys(JSON.parse(await text(request.pipe(createGunzip()))))
    if (answer.hangs) return
    const found = Object.entries(answer.advisories ?? {}).filter(([name]) => asked.includes(name))
    const advisories = found.map(([name, severity]) => [
      name,
      [
        {
          id: 1,
          url: 'https://github.com/advisories/GHSA-0000',
          title: 'Bad things',
          severity,
          vulnerable_versions: '*',
        },
      ],
    ])
    response.writeHead(answer.status ?? 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(Object.fromEntries(advisories)))
  })
  let env: Record<string, string> = {}
  const cache = mkdtempSync(join(tmpdir(), 'beak-npm-'))

  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('the registry has no port')
    // npm keeps advisories in its cache, and the cache of this machine must not learn ours.
    env = {
      npm_config_registry: `http://127.0.0.1:${address.port}`,
      npm_config_cache: cache,
      npm_config_noproxy: '127.0.0.1',
    }
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
    rmSync(cache, { recursive: true })
  })

  it('fails on a high advisory for a production dependency that a development package uses too', async () => {
    answer = { advisories: { nodemailer: 'high' } }
    const { failed, lines } = await checkAdvisories(env)
    expect(lines).toContain('high: nodemailer: Bad things (*), https://github.com/advisories/GHSA-0000')
    expect(failed).toBe(true)
  })

  it('does not ask about development dependencies', async () => {
    answer = { advisories: { vitest: 'critical' } }
    expect(await checkAdvisories(env)).toEqual(clean)
    expect(asked).toContain('esbuild')
    expect(asked).not.toContain('vitest')
  })

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
    const run = await runNpm(['audit', '--omit=dev', '--json'], { limitMs: 2_000, env })
    expect(run).toMatchObject({ code: null, timedOut: true })
  })
})
