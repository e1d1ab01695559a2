/** The packages of the clients over HTTP: what a stranger can get, and what a package manager needs. */
import { mkdtempSync, writeFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sha256 } from '@/lib/kernel/secrets/secrets'
import { ClientPackages } from '@/lib/kernel/service/client-packages'
import { nodeListener } from './adapters'
import { isClientFile, serveClients } from './client-files'

const folder = mkdtempSync(join(tmpdir(), 'beak-packages-'))
const bytes = Buffer.from('a package')
const file = {
  name: 'beak-client-9.9.9.tgz',
  kind: 'typescript',
  sha256: sha256(bytes).toString('hex'),
  size: bytes.length,
}
const wheel = { ...file, name: 'beak_client-9.9.9-py3-none-any.whl', kind: 'python' }
const broken = { ...file, name: 'beak-dev-9.9.9.tgz', kind: 'dev' }
const list = { version: '9.9.9', files: [file, wheel, broken], missing: [] }
writeFileSync(join(folder, file.name), bytes)
writeFileSync(join(folder, wheel.name), bytes)
writeFileSync(join(folder, broken.name), 'changed on the disk')
writeFileSync(join(folder, 'beak-client-9.9.8.tgz'), 'the version before')
writeFileSync(join(folder, '.clients-stamp'), 'secret')
writeFileSync(join(folder, 'index.json'), JSON.stringify(list))

const packages = new ClientPackages(folder)
const server = createServer(nodeListener(serveClients(() => packages)))
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

/** Sends a request whose path is not changed on its way, as `fetch` would. */
function send(path: string, { method = 'GET', headers = {} } = {}) {
  const { port } = server.address() as AddressInfo
  return new Promise<{ status: number; headers: Record<string, string>; body: Buffer }>((resolve, reject) => {
    request({ host: '127.0.0.1', port, path, method, headers, agent: false }, (response) => {
      buffer(response).then(
        (body) =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers as Record<string, string>,
            body,
          }),
        reject,
      )
    })
      .on('error', reject)
      .end()
  })
}

describe('a package', () => {
  it('is served with its digest, to be kept forever and not to be rendered', async () => {
    const { status, headers, body } = await send(`/clients/${file.name}`)
    expect([status, body]).toEqual([200, bytes])
    expect(headers).toMatchObject({
      'content-type': 'application/gzip',
      'content-length': String(bytes.length),
      'content-disposition': `attachment; filename="${file.name}"`,
      'cache-control': 'public, max-age=31536000, immutable',
      etag: `"${file.sha256}"`,
      'repr-digest': `sha-256=:${sha256(bytes).toString('base64')}:`,
      'x-content-type-options': 'nosniff',
    })
    expect((await send(`/clients/${wheel.name}`)).headers['content-type']).toBe('application/zip')
  })

  it('answers HEAD without the bytes, and 304 to a client that has them', async () => {
    const head = await send(`/clients/${file.name}`, { method: 'HEAD' })
    expect([head.status, head.body.length, head.headers['content-length']]).toEqual([
      200,
      0,
      String(bytes.length),
    ])
    const known = await send(`/clients/${file.name}`, {
      headers: { 'If-None-Match': `"x", "${file.sha256}"` },
    })
    expect([known.status, known.body.length]).toEqual([304, 0])
  })

  it.each([
    'bytes=0-',
    'bytes=999999999999-',
    `bytes=${'0-1,'.repeat(1000)}0-1`,
    'bytes=-18446744073709551616',
  ])('is sent as a whole for a range', async (range) => {
    const { status, body } = await send(`/clients/${file.name}`, { headers: { Range: range } })
    expect([status, body]).toEqual([200, bytes])
  })

  // security: supply-6
  it('is not served when the file on the disk is another one', async () => {
    const { status, headers, body } = await send(`/clients/${broken.name}`)
    expect([status, headers['cache-control']]).toEqual([500, 'no-store'])
    expect(String(body)).toContain('This package is broken.')
    expect(String(body)).not.toContain('changed on the disk')
  })
})

describe('other paths', () => {
  it.each([
    'beak-client-9.9.8.tgz',
    '.clients-stamp',
    '../package.json',
    '..%2f..%2fpackage.json',
    '%2e%2e/%2e%2e/package.json',
    '..%5c..%5cpackage.json',
    '%252e%252e%252fpackage.json',
    './beak-client-9.9.9.tgz',
    'beak-client-9.9.9.tgz/',
    'beak-client-9.9.9.tgz%00',
    'beak-client-9.9.9%2etgz',
    'BEAK-CLIENT-9.9.9.TGZ',
    'index.json/..',
    '/etc/passwd',
    '__proto__',
    'constructor',
  ])('answers 404 with the packages that exist: %s', async (name) => {
    const { status, headers, body } = await send(`/clients/${name}`)
    expect([status, headers['content-type'], headers['cache-control']]).toEqual([
      404,
      'text/plain; charset=utf-8',
      'no-store',
    ])
    expect(String(body)).toContain('This service has version 9.9.9:\n/clients/beak-client-9.9.9.tgz\n')
  })

  it('repeats nothing of the request', async () => {
    const { body } = await send('/clients/<script>alert(1)</script>', { headers: { Host: 'evil.test' } })
    expect(String(body)).not.toMatch(/script|evil/)
  })

  it('refuses other methods', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
      const { status, headers } = await send(`/clients/${file.name}`, { method })
      expect([status, headers.allow]).toEqual([405, 'GET, HEAD'])
    }
  })
})

describe('the list', () => {
  it('is JSON at both addresses, even when the host name of the request is another', async () => {
    for (const path of ['/clients/', '/clients', '/clients/index.json']) {
      const { status, headers, body } = await send(path, { headers: { Host: 'evil.test' } })
      expect([status, headers['content-type'], headers.vary]).toEqual([200, 'application/json', 'Accept'])
      expect(JSON.parse(String(body))).toEqual(list)
    }
  })

  it('leaves the page to Next for browsers, where there are pages', () => {
    const html = 'text/html,application/xhtml+xml,application/json;q=0.9,*/*;q=0.8'
    expect(isClientFile('/clients/', html, true)).toBe(false)
    expect(isClientFile('/clients?x=1', '*/*', true)).toBe(false)
    expect(isClientFile('/clients/', '*/*', false)).toBe(true)
    expect(isClientFile('/clients/', 'application/json', true)).toBe(true)
    expect(isClientFile('/clients/index.json', html, true)).toBe(true)
    expect(isClientFile('/clientsx', 'application/json', true)).toBe(false)
  })
})
