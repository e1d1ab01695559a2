import { afterEach, describe, expect, it } from 'vitest'
import { config, useConfig } from '@/lib/kernel/config'
import { parseNetwork } from '@/lib/kernel/request/host-name'
import { callOf } from './adapters'
import { clientAddress, isDirectFromThisMachine, limitKey, peerHeader, peerHeaderValue } from './address'
import type { Call } from './call'

const before = config()
const forwardingNames = [
  'Forwarded',
  'Via',
  'X-Forwarded-For',
  'x-forwarded-host',
  'X-FORWARDED-PROTO',
  'X-Forwarded',
  'X-Original-Host',
  'X-Real-IP',
  'X-Client-IP',
  'X-Cluster-Client-IP',
  'CF-Connecting-IP',
  'CF-Ray',
  'CDN-Loop',
  'True-Client-IP',
  'Fastly-Client-IP',
  'Fly-Client-IP',
  'X-Amzn-Trace-Id',
  'X-Envoy-External-Address',
]
afterEach(() => useConfig(before))

function aCall(peer: string | null, headers: Record<string, string> = {}): Call {
  return callOf(new Request('http://localhost:3000/beak/', { headers }), peer ?? undefined)
}

function useProxies(...networks: string[]): void {
  useConfig({ trustedProxies: networks.map(parseNetwork).filter((network) => network !== null) })
}

describe('clientAddress without trusted proxies', () => {
  it.each([
    ['X-Forwarded-For', '203.0.113.9'],
    ['X-Real-IP', '203.0.113.9'],
    ['Forwarded', 'for=203.0.113.9'],
    ['CF-Connecting-IP', '203.0.113.9'],
    ['True-Client-IP', '203.0.113.9'],
    [peerHeader, 'guessed 203.0.113.9'],
    [peerHeader, '203.0.113.9'],
    [peerHeader, ' 203.0.113.9'],
  ])('uses the socket address and ignores %s: %s', (name, value) => {
    expect(clientAddress(aCall('198.51.100.7', { [name]: value }))).toBe('198.51.100.7')
  })

  it('returns null without a socket, as under a bare `next start`', () => {
    expect(clientAddress(aCall(null, { 'X-Forwarded-For': '203.0.113.9' }))).toBeNull()
    expect(clientAddress(aCall(''))).toBeNull()
  })

  it('accepts a peer header from our own server', () => {
    expect(clientAddress(aCall(null, { [peerHeader]: peerHeaderValue('198.51.100.7', []) }))).toBe(
      '198.51.100.7',
    )
  })
})

describe('isDirectFromThisMachine', () => {
  it('is true only for a loopback socket without a forwarding header', () => {
    const isDirect = (address: string, ...rawHeaders: string[]) =>
      isDirectFromThisMachine(new Headers({ [peerHeader]: peerHeaderValue(address, rawHeaders) }))
    for (const address of ['127.0.0.1', '127.8.8.8', '::1', '::ffff:127.0.0.1'])
      expect([address, isDirect(address, 'Host', 'localhost')]).toEqual([address, true])
    for (const address of ['198.51.100.7', '::2', '::ffff:198.51.100.7', ''])
      expect([address, isDirect(address)]).toEqual([address, false])
    // `Via` is a value here, not a header name.
    expect(isDirect('127.0.0.1', 'Accept', 'Via')).toBe(true)
    for (const name of forwardingNames)
      expect([name, isDirect('127.0.0.1', 'Host', 'localhost', name, '')]).toEqual([name, false])
    for (const proof of ['direct 127.0.0.1', 'guessed direct 127.0.0.1', '127.0.0.1', ''])
      expect(isDirectFromThisMachine(new Headers({ [peerHeader]: proof }))).toBe(false)
    expect(isDirectFromThisMachine(new Headers())).toBe(false)
  })
})

describe('clientAddress', () => {
  it.each([
    ['::ffff:198.51.100.7', '198.51.100.7'],
    ['::FFFF:c633:6407', '198.51.100.7'],
    ['0:0:0:0:0:ffff:198.51.100.7', '198.51.100.7'],
    ['fe80::1%eth0', 'fe80::1'],
    ['2001:DB8::1', '2001:db8::1'],
    ['2001:0db8:0:0:0:0:0:1', '2001:db8::1'],
    ['::1', '::1'],
  ])('normalises %s to %s', (peer, address) => {
    expect(clientAddress(aCall(peer))).toBe(address)
  })
})

describe('clientAddress behind trusted proxies', () => {
  // security: stranger-12
  it('returns the right-most entry that is not a trusted proxy, and ignores the entries to its left', () => {
    useProxies('10.0.0.0/8', '2001:db8:aaaa::/48')
    const forwarded = (value: string) => clientAddress(aCall('10.0.0.1', { 'X-Forwarded-For': value }))
    expect(forwarded('203.0.113.9')).toBe('203.0.113.9')
    expect(forwarded('1.1.1.1, 203.0.113.9')).toBe('203.0.113.9')
    expect(forwarded('1.1.1.1, 203.0.113.9, 10.2.3.4, 2001:db8:aaaa::5')).toBe('203.0.113.9')
    expect(forwarded('10.9.9.9, 203.0.113.9')).toBe('203.0.113.9')
  })

  it('recognises an IPv4 proxy on an IPv6 socket', () => {
    useProxies('10.0.0.0/8')
    expect(clientAddress(aCall('::ffff:10.0.0.1', { 'X-Forwarded-For': '203.0.113.9' }))).toBe('203.0.113.9')
  })

  // security: check-64
  it('ignores X-Forwarded-For from a socket that is not a trusted proxy', () => {
    useProxies('10.0.0.0/8')
    expect(clientAddress(aCall('198.51.100.7', { 'X-Forwarded-For': '203.0.113.9' }))).toBe('198.51.100.7')
  })

  it('reads entries with a port, and stops at an invalid entry', () => {
    useProxies('10.0.0.0/8')
    const forwarded = (value: string) => clientAddress(aCall('10.0.0.1', { 'X-Forwarded-For': value }))
    expect(forwarded('203.0.113.9:4711')).toBe('203.0.113.9')
    expect(forwarded('[2001:db8::9]:4711')).toBe('2001:db8::9')
    expect(forwarded('203.0.113.9, unknown')).toBe('10.0.0.1')
    expect(forwarded('203.0.113.9, unknown, 10.0.0.2')).toBe('10.0.0.1')
    expect(forwarded('')).toBe('10.0.0.1')
    expect(forwarded('10.0.0.3')).toBe('10.0.0.1')
  })
})

describe('limitKey', () => {
  it('returns an IPv4 address unchanged', () => {
    expect(limitKey('198.51.100.7')).toBe('198.51.100.7')
  })

  it('returns the same key for all addresses of an IPv6 /64, in every notation', () => {
    const key = limitKey('2001:db8:1:2::1')
    for (const address of ['2001:db8:1:2:ffff:ffff:ffff:ffff', '2001:0db8:0001:0002::9', '2001:DB8:1:2:3::'])
      expect(limitKey(address)).toBe(key)
    expect(limitKey('2001:db8:1:3::1')).not.toBe(key)
    expect(limitKey('2001:db8:1::1')).toBe(limitKey('2001:db8:1:0:5::'))
    expect(limitKey('::1')).toBe('0:0:0:0::/64')
    expect(limitKey('64:ff9b::198.51.100.7')).toBe('64:ff9b:0:0::/64')
  })

  it('returns one key for all unknown addresses', () => {
    expect(limitKey(null)).toBe('unknown')
  })
})
