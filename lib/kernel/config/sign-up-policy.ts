/** Who may sign up: the variable SIGNUP (contract E). */
import { hostName } from '@/lib/kernel/host-name'

export type SignUpPolicy =
  | { mode: 'open' | 'pass' | 'closed' }
  /** Only with an address of one of these domains, in lower case, or with a sign-up pass. */
  | { mode: 'domains'; domains: string[] }

const modes = ['open', 'pass', 'closed'] as const

/** Parses SIGNUP: `open`, `pass`, `closed`, or `domains:` and names with commas. Adds what is wrong to `faults`. */
export function parseSignUp(value: string, faults: string[]): SignUpPolicy {
  const mode = modes.find((one) => one === value)
  if (mode !== undefined) return { mode }
  const [, list] = /^domains:(.*)$/.exec(value) ?? []
  if (list === undefined) {
    faults.push('SIGNUP: must be open, pass, closed, or domains:example.com,example.org')
    return { mode: 'closed' }
  }
  const names = list.split(',').map((name) => name.trim())
  const domains = names.flatMap((name) => hostName(name) ?? [])
  if (domains.length < names.length)
    faults.push(`SIGNUP: "${list}" must be names of domains with commas, such as example.com,example.org`)
  return { mode: 'domains', domains }
}
