/**
 * The official conformance suite of MCP against the server. It needs Node.js 22, which npm has as a package for each platform.
 * `conformance.yml` lists the scenarios that fail, with the reason. The suite ends with an error when another scenario fails, and when a listed
 * scenario passes.
 */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { anAgent } from '@/lib/factories/agents'
import { aDuckling } from '@/lib/factories/ducklings'
import { nodeListener } from '@/lib/http/adapters'
import { config } from '@/lib/kernel/config'
import { answerMcp } from './_server/answer'

const minutes = 60_000
const run = promisify(execFile)
const folder = mkdtempSync(join(tmpdir(), 'beak-conformance-'))
const runtime = `node-${process.platform}-${process.arch}`
let server: Server

beforeAll(async () => {
  const packages = [`${runtime}@22.23.3`, '@modelcontextprotocol/conformance@0.1.16']
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--silent']
  await run('npm', ['install', '--prefix', folder, ...options, ...packages], { cwd: folder })
  const { beakKey } = await anAgent(await aDuckling())
  const answer = nodeListener(answerMcp)
  // The suite cannot send a key, and does not know the public address: this does what a proxy would do.
  server = createServer((request, response) => {
    const { port } = server.address() as AddressInfo
    const { host } = new URL(config().baseUrl)
    request.rawHeaders = request.rawHeaders.map((value) => value.replace(`127.0.0.1:${port}`, host))
    request.rawHeaders.push('Authorization', `Bearer ${beakKey}`)
    answer(request, response)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
}, 3 * minutes)

afterAll(() => {
  server?.close()
  server?.closeAllConnections()
  rmSync(folder, { recursive: true, force: true })
})

it(
  'passes every scenario of the suite that is not listed as a failure',
  async () => {
    const { port } = server.address() as AddressInfo
    const suite = join(folder, 'node_modules', '@modelcontextprotocol', 'conformance', 'dist', 'index.js')
    const args = ['server', '--url', `http://127.0.0.1:${port}/mcp`]
    const expected = ['--expected-failures', resolve('app/mcp/conformance.yml'), '--output-dir', folder]
    const program = join(folder, 'node_modules', runtime, 'bin', 'node')
    const ended = run(program, [suite, ...args, ...expected], { maxBuffer: 16 * 1024 * 1024 })
    const faults = await ended.then(
      () => '',
      ({ stdout, stderr }) => `${stdout}${stderr}`,
    )
    expect(faults).toBe('')
  },
  3 * minutes,
)
