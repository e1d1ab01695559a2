import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '@/scripts/servers/free-port.mjs'
import { serveApprover } from './serve.mjs'

const page = { html: '<!doctype html><title>Approver</title>', policy: "default-src 'none'" }
let port = 0
let server: Awaited<ReturnType<typeof serveApprover>>

beforeAll(async () => {
  port = await freePort()
  server = await serveApprover(page, port)
})
afterAll(() => server.close())

interface Answer {
  status: number
  headers: Record<string, unknown>
  body: string
}

function send(
  path: string,
  { host = `approver.localhost:${port}`, method = 'GET', address = '127.0.0.1' } = {},
) {
  return new Promise<Answer>((resolve, reject) => {
    const sent = request({ host: address, port, path, method, headers: { host } }, (response) => {
      let body = ''
      response.on('data', (chunk) => {
        body += chunk
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }))
    })
    sent.on('error', reject)
    sent.end()
  })
}

describe('the server of the approver', () => {
  it('names its address', () => expect(server.url).toBe(`http://approver.localhost:${port}`))

  it('sends the page with headers that let no other page control it', async () => {
    const { status, headers, body } = await send('/')
    expect(status).toBe(200)
    expect(body).toBe(page.html)
    expect(headers).toMatchObject({
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'content-type': 'text/html; charset=utf-8',
      'cross-origin-opener-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    })
  })

  it('sends the same for a path with a query', async () => expect((await send('/?a=1')).status).toBe(200))

  it.each([
    'localhost',
    '127.0.0.1',
    'evil.example',
    'approver.localhost.evil.example',
    'approver.localhost',
  ])('refuses the host %s', async (host) => {
    const { status, body } = await send('/', {
      host: `${host}${host === 'approver.localhost' ? '' : `:${port}`}`,
    })
    expect(status).toBe(421)
    expect(body).toContain(server.url)
  })

  it('sends no other file', async () => {
    expect((await send('/../package.json')).status).toBe(404)
    expect((await send('/approver.js')).status).toBe(404)
  })

  it('accepts only GET and HEAD', async () => {
    expect((await send('/', { method: 'POST' })).status).toBe(405)
    expect(await send('/', { method: 'HEAD' })).toMatchObject({ status: 200, body: '' })
  })

  it('says what to do when the port is in use', async () => {
    await expect(serveApprover(page, port)).rejects.toThrow('Choose another one')
  })
})
