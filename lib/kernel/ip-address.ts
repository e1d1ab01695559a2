/** Parts of IP addresses. */
import { isIP } from 'node:net'

/** Returns the eight numbers of an IPv6 address, whatever its spelling. */
export function groupsOf(address: string): number[] {
  const dotted = /^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(address)
  if (dotted) {
    const [, head = '', ...bytes] = dotted
    const [a = 0, b = 0, c = 0, d = 0] = bytes.map(Number)
    return groupsOf(`${head}${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`)
  }
  const numbers = (part: string) => (part === '' ? [] : part.split(':').map((group) => Number(`0x${group}`)))
  const [head = '', tail] = address.split('::')
  const left = numbers(head)
  if (tail === undefined) return left
  const right = numbers(tail)
  return [...left, ...Array<number>(8 - left.length - right.length).fill(0), ...right]
}

/** Returns the block that one customer of a provider may have: the /24 of an IPv4 address, the /48 of an IPv6 address. */
export function addressBlock(address: string | null): string {
  if (address === null) return 'unknown'
  if (isIP(address) !== 6) return `${address.split('.').slice(0, 3).join('.')}.0/24`
  const prefix = groupsOf(address).slice(0, 3)
  return `${prefix.map((group) => group.toString(16)).join(':')}::/48`
}
