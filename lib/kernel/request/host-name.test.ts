import { describe, expect, it } from 'vitest'
import {
  addressBlock,
  hostName,
  isInNetworks,
  isSameNetwork,
  limitKeyOf,
  normalAddress,
  parseAddress,
  parseNetwork,
} from './host-name'

// security: check-59
describe('a host name', () => {
  it.each([
    ['shop.example.com', 'shop.example.com'],
    ['Shop.EXAMPLE.com', 'shop.example.com'],
    ['example.com.', 'example.com'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['ＥＸＡＭＰＬＥ.com', 'example.com'],
    ['example。com。', 'example.com'],
    ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
    [`${'a'.repeat(63)}.example`, `${'a'.repeat(63)}.example`],
  ])('converts %j to %j', (given, name) => {
    expect(hostName(given)).toBe(name)
  })

  it.each([
    '',
    '.',
    'com',
    'localhost',
    'app.localhost',
    'LOCALHOST.',
    'https://example.com',
    'example.com/',
    'example.com/path',
    'example.com:443',
    'user@example.com',
    'example.com?x',
    'example.com#x',
    'exa\nmple.com',
    ' example.com',
    'example%2ecom',
    'example..com',
    'example.com..',
    '.example.com',
    '-a.example.com',
    'a_b.example.com',
    '*.example.com',
    '127.0.0.1',
    '127.1',
    '0x7f.0.0.1',
    '2130706433',
    '1.2.3.4.',
    'example.123',
    '[::1]',
    '::1',
    `${'a'.repeat(64)}.example`,
    `${'a.'.repeat(127)}example`,
    'xn--a.example',
  ])('is not parsed from %j', (given) => {
    expect(hostName(given)).toBeNull()
  })
})

describe('parseAddress', () => {
  it.each([
    '',
    'localhost',
    '127.1',
    '0x7f000001',
    '010.0.0.1',
    '1.2.3.4.',
    '1.2.3',
    '::1%eth0',
    '[::1]',
    '1::2::3',
  ])('returns null for "%s"', (text) => expect(parseAddress(text)).toBeNull())
})

describe('normalAddress', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::ffff:cb00:7107', '203.0.113.7'],
    ['0:0:0:0:0:ffff:203.0.113.7', '203.0.113.7'],
    ['2001:0db8:0:0:0:0:0:1', '2001:db8::1'],
    ['64:ff9b::203.0.113.7', '64:ff9b::cb00:7107'],
    ['::', '::'],
    ['::ffff:203.0.113.777', null],
    ['fe80::1%eth0', null],
    ['nobody', null],
  ])('returns for %s: %s', (text, address) => {
    expect(normalAddress(text)).toBe(address)
  })
})

describe('networks', () => {
  it.each([
    ['10.0.0.0/8', '10.255.255.255', true],
    ['10.0.0.0/8', '11.0.0.0', false],
    ['10.9.9.9/8', '10.0.0.1', true],
    ['10.0.0.1', '10.0.0.1', true],
    ['10.0.0.1', '10.0.0.2', false],
    ['0.0.0.0/0', '203.0.113.7', true],
    ['0.0.0.0/0', '2001:db8::1', false],
    ['2001:db8::/33', '2001:db8:7fff::', true],
    ['2001:db8::/33', '2001:db8:8000::', false],
    ['10.0.0.0/8', 'nobody', false],
  ])('tells whether %s contains %s: %s', (text, address, expected) => {
    const network = parseNetwork(text)
    if (network === null) throw new Error('not a network')
    expect(isInNetworks(address, [network])).toBe(expected)
  })

  it.each([
    '',
    '/8',
    '10.0.0.0/',
    '10.0.0.0/33',
    '10.0.0.0/-1',
    '10.0.0.0/8.5',
    '10.0.0.0/8/8',
    '::/129',
    '10/8',
  ])('are not parsed from "%s"', (text) => expect(parseNetwork(text)).toBeNull())
})

describe('addressBlock', () => {
  it.each([
    ['203.0.113.7', '203.0.113.0/24'],
    ['203.0.113.255', '203.0.113.0/24'],
    ['2001:db8:1:2::3', '2001:db8:1::/48'],
    ['2001:0db8:0001:ffff:0:0:0:3', '2001:db8:1::/48'],
    ['::1', '0:0:0::/48'],
    [null, 'unknown'],
  ])('puts %s into the block %s', (address, block) => {
    expect(addressBlock(address)).toBe(block)
  })
})

describe('limitKeyOf', () => {
  it('counts an IPv4 address alone and an IPv6 address by its /64', () => {
    expect(limitKeyOf('203.0.113.7')).toBe('203.0.113.7')
    expect(limitKeyOf('2001:db8:1:2:ffff::3')).toBe('2001:db8:1:2::/64')
  })
})

describe('isSameNetwork', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7', true],
    ['203.0.113.7', '203.0.113.8', false],
    ['2001:db8:1:2::3', '2001:db8:1:2:ffff::', true],
    ['2001:db8:1:2::3', '2001:db8:1:3::3', false],
    ['127.0.0.1', '::1', true],
    ['127.0.0.1', '203.0.113.7', false],
  ])('compares %s with %s', (left, right, isSame) => {
    expect(isSameNetwork(left, right)).toBe(isSame)
  })
})
