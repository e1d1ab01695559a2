/** The page of the packages, as the server renders it. */
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { renderToReadableStream } from 'react-dom/server.edge'
import { afterEach, expect, it } from 'vitest'
import { inPageRequest } from '@/lib/fixtures/page-request'
import { config, useConfig } from '@/lib/kernel/config'
import { forget, singleton } from '@/lib/kernel/runtime/singleton'
import { ClientPackages } from '@/lib/kernel/service/client-packages'
import ClientsPage from './page'

const before = config()
afterEach(() => {
  forget('client-packages')
  useConfig(before)
})

const digest = 'ab'.repeat(32)
const list = {
  version: '9.9.9',
  files: [{ name: 'beak-client-9.9.9.tgz', kind: 'typescript', sha256: digest, size: 1_142_892 }],
  missing: [{ kind: 'python', reason: 'There was no python3.' }],
}

/** Renders the page for a request with another host name. Returns its text. */
async function render(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'beak-packages-'))
  writeFileSync(join(folder, 'index.json'), JSON.stringify(list))
  singleton('client-packages', async () => new ClientPackages(folder))
  const headers = { host: 'evil.test', 'x-forwarded-host': 'evil.test' }
  const { result } = await inPageRequest({ headers }, async () => {
    const stream = await renderToReadableStream(await ClientsPage({}))
    await stream.allReady
    return new Response(stream).text()
  })
  return result.replaceAll('<!-- -->', '').replaceAll('&quot;', '"')
}

it('shows commands with the address of the service, whatever host the request names', async () => {
  useConfig({ baseUrl: 'https://beak.test/prod' })
  const text = await render()
  expect(text).toContain('npm install https://beak.test/prod/clients/beak-client-9.9.9.tgz')
  expect(text).toContain(digest)
  expect(text).toContain('1,143 kB')
  expect(text).toContain('There was no python3.')
  expect(text).not.toContain('evil.test')
})

it('shows no command for plain http beyond this computer, and says why', async () => {
  useConfig({ baseUrl: 'http://beak.test' })
  const text = await render()
  expect(text).toContain('this service has no https address')
  expect(text).not.toContain('npm install')
  expect(text).toContain(digest)
})
