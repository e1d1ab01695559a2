import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { randomAddress } from '@/lib/factories/ducklings'
import { config, useConfig } from '@/lib/kernel/config'
import { parseNetwork } from '@/lib/kernel/request/host-name'
import { admitToPages } from './address-limit'

const server = createServer(async (request, response) => {
  if (await admitToPages(request, response)) response.end('page')
})
const before = config()

beforeEach(async () => {
  const local = parseNetwork('127.0.0.0/8')
  const limits = {
    ...before.limits,
    pages: { perMinute: 6, burst: 5 },
    images: { perMinute: 6, burst: 2 },
  }
  useConfig({ trustedProxies: local && [local], limits })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})

afterEach(() => {
  useConfig(before)
  server.close()
  server.closeAllConnections()
})

const get = (path: string, from: string) =>
  fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, {
    headers: { 'x-forwarded-for': from },
  })

const statuses = async (paths: string[], from: string) =>
  (await Promise.all(paths.map((path) => get(path, from)))).map(({ status }) => status).sort()

// security: stranger-15
it('limits all pages of an address together, with simultaneous requests, and says when to try again', async () => {
  const from = randomAddress()
  const paths = [
    '/',
    '/directory',
    '/docs',
    '/pecks?q=/opengraph-image',
    '/r/1',
    '/home',
    '/status',
    '/numbers',
  ]
  expect(await statuses(paths, from)).toEqual([200, 200, 200, 200, 200, 429, 429, 429])
  const refused = await get('/docs', from)
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '10'])
  expect(await refused.text()).toContain('Try again in 10 seconds.')
  expect((await get('/docs', randomAddress())).status).toBe(200)
})

// security: stranger-15
it('limits share images on their own', async () => {
  const from = randomAddress()
  const images = [
    '/opengraph-image',
    '/opengraph-image-1a2b?3c',
    '/r/1/opengraph-image',
    '/verify/CERT-1/opengraph-image-x',
  ]
  expect(await statuses(images, from)).toEqual([200, 200, 429, 429])
  expect((await get('/r/1', from)).status).toBe(200)
})
