/** The fetched key set, against the service itself and against hosts that answer wrongly, slowly or not at all. */
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { callRaw } from '@/app/beak/_api/call'
import { stealSigningKey } from '@/lib/fixtures/stolen-keys'
import { type RemoteKeysOptions, remoteKeys } from './remote-keys'

const issuer = 'http://localhost:3000'

let kid: string
let published: string

beforeAll(async () => {
  kid = (await stealSigningKey()).kid
  published = await (await callRaw('GET /.well-known/jwks.json')).text()
})

/** Returns a source whose host answers with `answer`, the number of its fetches, and a clock that the test sets. */
function aSource(answer: () => Response | Promise<Response>, options: RemoteKeysOptions = {}) {
  const seen = { fetches: 0, at: 0 }
  const fetch = async () => {
    seen.fetches += 1
    return answer()
  }
  return { seen, keys: remoteKeys(issuer, { fetch, clock: () => seen.at, ...options }) }
}

/** Starts a host on this machine and returns its address. */
async function aHost(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe('a fetched key set', () => {
  it('has the keys that the service publishes', async () => {
    const { keys } = aSource(() => new Response(published))
    expect(await keys.find(kid)).toMatchObject({ state: 'trusted', x: expect.any(String) })
    expect(await keys.find('other')).toEqual({ state: 'unknown' })
  })

  it('is fetched once for 50 simultaneous callers, and again when it is too old', async () => {
    const { keys, seen } = aSource(() => new Response(published))
    const found = await Promise.all(Array.from({ length: 50 }, () => keys.find(kid)))
    expect(found.every(({ state }) => state === 'trusted')).toBe(true)
    seen.at = 299_999
    await keys.find(kid)
    expect(seen.fetches).toBe(1)
    seen.at = 300_000
    await keys.find(kid)
    expect(seen.fetches).toBe(2)
  })

  it('is fetched again for an unknown key, at most once a minute', async () => {
    let text = JSON.stringify({ keys: [] })
    const { keys, seen } = aSource(() => new Response(text))
    await keys.find(kid)
    text = published
    seen.at = 59_999
    expect(await keys.find(kid)).toEqual({ state: 'unknown' })
    expect(seen.fetches).toBe(1)
    seen.at = 60_000
    expect(await keys.find(kid)).toMatchObject({ state: 'trusted' })
    for (let turn = 0; turn < 50; turn++) await keys.find(`unknown ${turn}`)
    expect(seen.fetches).toBe(2)
  })

  it('does not trust a key that was distrusted since, after it has expired', async () => {
    let text = published
    const { keys, seen } = aSource(() => new Response(text))
    await keys.find(kid)
    text = JSON.stringify({
      ...JSON.parse(published),
      distrusted: [{ kid, from: '2026-01-01T00:00:00.000Z' }],
    })
    seen.at = 300_000
    expect(await keys.find(kid)).toMatchObject({ state: 'distrusted' })
  })

  it('trusts no key when the set has expired and the host does not answer, and recovers', async () => {
    let isDown = false
    const { keys, seen } = aSource(() => {
      if (isDown) throw new TypeError('fetch failed')
      return new Response(published)
    })
    await keys.find(kid)
    isDown = true
    seen.at = 300_000
    expect(await keys.find(kid)).toMatchObject({ state: 'unavailable' })
    isDown = false
    expect(await keys.find(kid)).toMatchObject({ state: 'trusted' })
  })

  it('is fetched again when the clock was set back', async () => {
    const { keys, seen } = aSource(() => new Response(published))
    await keys.find(kid)
    seen.at = -1
    await keys.find(kid)
    expect(seen.fetches).toBe(2)
  })

  // security: site-15
  it.each<[string, () => Response]>([
    ['an error', () => new Response(published, { status: 500 })],
    ['another success', () => new Response(published, { status: 203 })],
    ['no JSON', () => new Response('<html>')],
    ['JSON that is no key set', () => new Response('{"keys":{}}')],
    [
      'two keys with one kid',
      () => {
        const { keys } = JSON.parse(published)
        return new Response(JSON.stringify({ keys: [...keys, { kty: 'OKP', crv: 'Ed25519', x: 'AA', kid }] }))
      },
    ],
    ['too many keys', () => new Response(JSON.stringify({ keys: Array(101).fill({ kty: 'OKP' }) }))],
    ['too many bytes', () => new Response(`${published}${' '.repeat(65_536)}`)],
    ['bytes that are not UTF-8', () => new Response(new Uint8Array([0x7b, 0xff]))],
    ['no body', () => new Response(null)],
  ])('is not read from an answer with %s', async (_, answer) => {
    expect(await aSource(answer).keys.find(kid)).toMatchObject({ state: 'unavailable' })
  })

  it.each([
    { kty: 'OKP', crv: 'Ed448', x: 'AA', kid: 'k' },
    { kty: 'EC', crv: 'P-256', x: 'AA', kid: 'k' },
    { kty: 'OKP', crv: 'Ed25519', x: 'AA', kid: 'k', use: 'enc' },
    { kty: 'OKP', crv: 'Ed25519', x: 'AA', kid: 'k', alg: 'ECDH-ES' },
    { kty: 'oct', k: 'AA', kid: 'k' },
  ])('does not give a key for another purpose: %j', async (key) => {
    const { keys } = aSource(() => new Response(JSON.stringify({ keys: [key] })))
    expect(await keys.find('k')).toEqual({ state: 'unknown' })
  })
})

describe('a host', () => {
  // security: site-24
  it('that redirects, stops in the middle or never answers gives no key', async () => {
    const good = await aHost((_, response) => response.end(published))
    const redirecting = await aHost((request, response) =>
      response.writeHead(302, { Location: `${good}${request.url}` }).end(),
    )
    const cut = await aHost((_, response) => {
      response.writeHead(200, { 'Content-Length': published.length })
      response.write(published.slice(0, 20), () => response.destroy())
    })
    const silent = await aHost(() => undefined)
    expect(await remoteKeys(good).find(kid)).toMatchObject({ state: 'trusted' })
    for (const host of [redirecting, cut, silent, 'http://127.0.0.1:9'])
      expect(await remoteKeys(host, { timeoutMs: 300 }).find(kid)).toMatchObject({ state: 'unavailable' })
  })

  it.each([
    'http://beak.example',
    'ftp://beak.example',
    'beak.example',
    '',
    'https://beak.example/',
    'https://beak.example?a=b',
    'https://user@beak.example',
  ])('is not asked at %j', (address) => {
    expect(() => remoteKeys(address)).toThrow(TypeError)
  })
})
