import { expect, it } from 'vitest'
import { addressBlock } from './ip-address'

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
