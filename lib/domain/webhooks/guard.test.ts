import dns, { type LookupAddress } from 'node:dns'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { aNameServer } from '@/lib/fixtures/name-server'
import { useConfig } from '@/lib/kernel/config'
import { systemContext } from '@/lib/kernel/request/context'
import { readClock } from '@/lib/kernel/runtime/clock'
import { checkUrl, findUrlFault, isForbiddenAddress } from './guard'
import { send } from './send'

beforeAll(() => useConfig({ webhookAllowPrivate: false }))
afterAll(() => useConfig({ webhookAllowPrivate: true }))

const context = systemContext(readClock())
const post = (url: string) => send(url, {}, '{}', 5_000)
const refusal = { failure: 'invalid_request', extras: { errors: [{ field: 'url' }] } }

/** Private addresses of all kinds and in all notations. */
const privateUrls = [
  'https://127.0.0.1/',
  'https://127.1/',
  'https://127.255.255.254/',
  'https://2130706433/',
  'https://0x7f000001/',
  'https://0x7f.1/',
  'https://017700000001/',
  'https://0177.0.0.01/',
  'https://①②⑦.⓪.⓪.①/',
  'https://127.0.0.1./',
  'https://0.0.0.0/',
  'https://0/',
  'https://10.1.2.3/',
  'https://100.64.0.1/',
  'https://169.254.169.254/latest/meta-data/',
  'https://172.16.0.1/',
  'https://172.31.255.255/',
  'https://192.168.1.1/',
  'https://192.0.0.8/',
  'https://198.18.0.1/',
  'https://224.0.0.1/',
  'https://255.255.255.255/',
  'https://[::]/',
  'https://[::1]/',
  'https://[0:0:0:0:0:0:0:1]/',
  'https://[::127.0.0.1]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::ffff:a00:1]/',
  'https://[64:ff9b::7f00:1]/',
  'https://[64:ff9b:1::a00:1]/',
  'https://[2002:7f00:1::]/',
  'https://[2001::1]/',
  'https://[fc00::1]/',
  'https://[fd12:3456::1]/',
  'https://[fe80::1]/',
  'https://[fec0::1]/',
  'https://[ff02::1]/',
  'https://localhost/',
  'https://LOCALHOST./',
  'https://beak.localhost/',
]

const malformed = [
  'not a url',
  '//example.com/',
  'ftp://example.com/',
  'file:///etc/passwd',
  'http://example.com/',
  'https://example.com:80/',
  'https://example.com:22/',
  'https://user@example.com/',
  'https://user:pass@example.com/',
  'https://:pass@example.com/',
  'https://example.com/#fragment',
]

describe('a URL', () => {
  // security: receiver-1, check-71
  it.each([...privateUrls, ...malformed])('is refused at create and never connected to: %s', async (url) => {
    await expect(checkUrl(context, url)).rejects.toMatchObject(refusal)
    expect(await post(url)).toMatchObject({ statusCode: null, error: 'blocked_address', response: null })
  })

  it.each([
    'https://93.184.215.14/',
    'https://[2606:4700::1111]/',
    'https://example.com/hook?token=1',
    'https://example.com:443/',
    'https://example.com:8443/',
    'https://localhost.example.com/',
  ])('is allowed when its host is public: %s', (url) => {
    expect(findUrlFault(url)).toBeNull()
  })

  it('may use http and private hosts when WEBHOOK_ALLOW_PRIVATE is set, but no user name', () => {
    useConfig({ webhookAllowPrivate: true })
    expect(findUrlFault('http://127.0.0.1:1234/hook')).toBeNull()
    expect(findUrlFault('https://localhost:8080/')).toBeNull()
    expect(findUrlFault('ftp://example.com/')).not.toBeNull()
    expect(findUrlFault('http://user@127.0.0.1/')).not.toBeNull()
    useConfig({ webhookAllowPrivate: false })
  })

  it('says what to do instead of plain http and of a private address, and names no variable of the host', () => {
    for (const [url, words] of [
      ['http://127.0.0.1/', 'must begin with https://'],
      ['https://127.0.0.1/', 'must be an address on the public internet'],
      ['https://localhost/', 'must be an address on the public internet'],
    ] as const) {
      expect(findUrlFault(url)).toContain(words)
      expect(findUrlFault(url)).toContain('use `beak dev`')
      expect(findUrlFault(url)).not.toMatch(/[A-Z]+_[A-Z]+/)
    }
  })
})

describe('with WEBHOOK_ALLOW_PRIVATE', () => {
  beforeAll(() => useConfig({ webhookAllowPrivate: true }))
  afterAll(() => useConfig({ webhookAllowPrivate: false }))

  const metadata = [
    'http://169.254.169.254/latest/meta-data/',
    'http://169.254.169.254./',
    'http://2852039166/',
    'http://0xa9fea9fe/',
    'http://0251.0376.0251.0376/',
    'http://0xa9.254.43518/',
    'http://169.254.170.2/',
    'http://100.100.100.200/',
    'http://192.0.0.192/',
    'http://0.0.0.0/',
    'http://0/',
    'http://[::]/',
    'http://[fe80::1]/',
    'http://[febf::1]/',
    'http://[fd00:ec2::254]/',
    'http://[::ffff:169.254.169.254]/',
    'http://[::ffff:a9fe:a9fe]/',
    'http://[::169.254.169.254]/',
    'http://[64:ff9b::a9fe:a9fe]/',
    'http://[64:ff9b:1::a9fe:a9fe]/',
    'http://[2002:a9fe:a9fe::]/',
    'http://metadata.google.internal/',
    'http://METADATA.google.internal./',
    'http://metadata.goog/',
    'http://metadata/',
    'http://instance-data/',
    'http://instance-data.ec2.internal/',
  ]

  it.each(metadata)('refuses %s for a new endpoint, and for a delivery', async (url) => {
    await expect(checkUrl(context, url)).rejects.toMatchObject(refusal)
    expect(await post(url)).toMatchObject({ statusCode: null, error: 'blocked_address' })
  })

  it.each(['http://[::1]:1/', 'http://192.168.1.1/', 'http://[fd12:3456::1]/', 'http://[::ffff:10.0.0.1]/'])(
    'allows the private address %s',
    (url) => expect(findUrlFault(url)).toBeNull(),
  )

  it('refuses a name for a new endpoint when one of its addresses is never allowed', async () => {
    let addresses = ['127.0.0.1', '169.254.169.254']
    await aNameServer(() => addresses)
    await expect(checkUrl(context, 'http://rebound.example/')).rejects.toMatchObject(refusal)
    addresses = ['fd00:ec2::254']
    await expect(checkUrl(context, 'http://six.example/')).rejects.toMatchObject(refusal)
    addresses = ['192.168.1.1']
    await expect(checkUrl(context, 'http://private.example/')).resolves.toBeUndefined()
  })

  it('refuses a name at its delivery when one of its addresses is never allowed', async () => {
    const find = vi.spyOn(dns, 'lookup').mockImplementation(((...given: unknown[]) => {
      const answer = given.at(-1) as (error: null, found: LookupAddress[]) => void
      answer(null, [
        { address: '127.0.0.1', family: 4 },
        { address: '169.254.169.254', family: 4 },
      ])
    }) as typeof dns.lookup)
    expect(await post('http://rebound.example/')).toMatchObject({
      statusCode: null,
      error: 'blocked_address',
    })
    find.mockRestore()
  })
})

describe('an address', () => {
  it.each(['8.8.8.8', '100.63.255.255', '172.32.0.1', '192.169.0.1', '223.255.255.255', '2a00:1450::1'])(
    'is allowed when it is public: %s',
    (address) => expect(isForbiddenAddress(address)).toBe(false),
  )

  /** The first and last address of each special network, and the addresses before and after it. */
  it.each([
    ['0.0.0.0', '0.255.255.255', null, '1.0.0.0'],
    ['10.0.0.0', '10.255.255.255', '9.255.255.255', '11.0.0.0'],
    ['100.64.0.0', '100.127.255.255', '100.63.255.255', '100.128.0.0'],
    ['127.0.0.0', '127.255.255.255', '126.255.255.255', '128.0.0.0'],
    ['169.254.0.0', '169.254.255.255', '169.253.255.255', '169.255.0.0'],
    ['172.16.0.0', '172.31.255.255', '172.15.255.255', '172.32.0.0'],
    ['192.0.0.0', '192.0.0.255', '191.255.255.255', '192.0.1.0'],
    ['192.0.2.0', '192.0.2.255', '192.0.1.255', '192.0.3.0'],
    ['192.31.196.0', '192.31.196.255', '192.31.195.255', '192.31.197.0'],
    ['192.52.193.0', '192.52.193.255', '192.52.192.255', '192.52.194.0'],
    ['192.88.99.0', '192.88.99.255', '192.88.98.255', '192.88.100.0'],
    ['192.168.0.0', '192.168.255.255', '192.167.255.255', '192.169.0.0'],
    ['192.175.48.0', '192.175.48.255', '192.175.47.255', '192.175.49.0'],
    ['198.18.0.0', '198.19.255.255', '198.17.255.255', '198.20.0.0'],
    ['198.51.100.0', '198.51.100.255', '198.51.99.255', '198.51.101.0'],
    ['203.0.113.0', '203.0.113.255', '203.0.112.255', '203.0.114.0'],
    ['224.0.0.0', '255.255.255.255', '223.255.255.255', null],
    ['2001::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff', '2000:ffff::', '2001:200::'],
    ['2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff', '2001:db7:ffff::', '2001:db9::'],
    ['2002::', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '2001:ffff:ffff::', '2003::'],
    ['2620:4f:8000::', '2620:4f:8000:ffff:ffff:ffff:ffff:ffff', '2620:4f:7fff::', '2620:4f:8001::'],
    ['3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff', '3ffe:ffff::', '3fff:1000::'],
    ['::', '1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', null, '2000::'],
    ['4000::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '3fff:ffff::', null],
    ['::ffff:8.8.8.8', '64:ff9b::808:808', null, null],
  ])('is forbidden from %s to %s, and not beside', (first, last, before, after) => {
    expect([first, last].map(isForbiddenAddress)).toEqual([true, true])
    for (const address of [before, after])
      if (address !== null) expect([address, isForbiddenAddress(address)]).toEqual([address, false])
  })

  it('is forbidden when it is not in standard notation', () => {
    expect(['', 'localhost', '127.1', '0x7f000001', '::1%eth0'].map(isForbiddenAddress)).not.toContain(false)
  })
})

describe('a host name', () => {
  it.each([
    ['127.0.0.1'],
    ['10.0.0.1'],
    ['::1'],
    ['::ffff:7f00:1'],
    ['93.184.215.14', '169.254.169.254'],
    ['93.184.215.14', 'fd00::1'],
  ])('is refused at create and at send when one of its addresses is private: %s', async (...addresses) => {
    await aNameServer(() => addresses)
    await expect(checkUrl(context, 'https://inside.example.com/')).rejects.toMatchObject(refusal)
    expect(await post('https://inside.example.com/')).toMatchObject({ error: 'blocked_address' })
  })

  // security: receiver-1
  it('is blocked at send when it resolved to a public address at create and is private now (DNS rebinding)', async () => {
    let addresses = ['93.184.215.14', '2606:4700::1111']
    await aNameServer(() => addresses)
    await expect(checkUrl(context, 'https://rebinding.example.com/')).resolves.toBeUndefined()
    addresses = ['127.0.0.1']
    expect(await post('https://rebinding.example.com/')).toMatchObject({ error: 'blocked_address' })
  })

  it('is accepted at create and fails at send when it does not resolve', async () => {
    await aNameServer(() => [])
    await expect(checkUrl(context, 'https://not-yet.example.com/')).resolves.toBeUndefined()
    expect(await post('https://not-yet.example.com/')).toMatchObject({ error: 'name_not_found' })
  })
})
