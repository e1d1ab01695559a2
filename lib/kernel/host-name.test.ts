import { describe, expect, it } from 'vitest'
import { hostName } from './host-name'

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
