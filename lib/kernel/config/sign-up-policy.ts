/** Who may sign up: the variable SIGNUP. */

import { hostName } from '@/lib/kernel/request/host-name'
import { listWithOr } from '@/lib/kernel/text/list-words'

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

/** What a process does: answer the API, render the pages, work on the outbox. */
export const roles = ['api', 'web', 'worker'] as const
export type Role = (typeof roles)[number]

/** Parses `BEAK_ROLES`. Adds a fault for each unknown role. */
export function parseRoles(value: string, faults: string[]): ReadonlySet<Role> {
  const names = value.split(',').map((name) => name.trim())
  for (const name of names)
    if (!roles.some((role) => role === name))
      faults.push(`BEAK_ROLES: "${name}" is not a role; list roles of ${listWithOr([...roles])} with commas`)
  return new Set(roles.filter((role) => names.includes(role)))
}
