/** Who asks for a code or tries one: a known device, or a network. Each has codes and tries of its own for an address (contract A, OTP). */
import { addressBlock } from '@/lib/kernel/ip-address'
import { keyedHash } from '@/lib/kernel/secrets'

/** Returns the key of the network of a client: a keyed hash of its address block, IPv4 /24 or IPv6 /48. */
export function networkKey(ip: string | null): string {
  return keyedHash('subject', addressBlock(ip)).toString('base64url')
}

/** Returns the subject that counts the tries of a network for an account or an unknown address. */
export function networkSubject(account: string, network: string): string {
  return `${account}@${network}`
}
