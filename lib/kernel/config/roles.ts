import { listWithOr } from '@/lib/kernel/text/list-words'

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
