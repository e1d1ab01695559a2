/** What a program may be allowed, as scopes of OAuth. The consent shows each as a sentence. */

/** The capabilities that each scope gives the agent of the program. */
const scopeCapabilities = {
  ask: ['request:peck', 'read:peck'],
  // No capability: in lists of agents that exist, `request:peck` means everybody (contract A, Beak key).
  'ask:others': [],
  profile: ['read:profile', 'read:cert'],
  activity: ['read:audit'],
} as const

export type Scope = keyof typeof scopeCapabilities

export const scopes = Object.keys(scopeCapabilities) as Scope[]

/** Asking is what Beak is for, so every connection may. */
const always: Scope = 'ask'

/** Returns the scopes of a text of OAuth (RFC 6749, section 3.3), in the order of the list. Leaves out unknown ones. */
export function readScopes(text: string): Scope[] {
  const named = new Set(text.split(' '))
  return scopes.filter((scope) => scope === always || named.has(scope))
}

interface Rights {
  capabilities: string[]
  asksOthers: boolean
}

/** Returns the scopes of an agent that may do this. */
export function scopesOf({ capabilities, asksOthers }: Rights): Scope[] {
  return scopes.filter(
    (scope) =>
      scopeCapabilities[scope].every((capability) => capabilities.includes(capability)) &&
      (scope !== 'ask:others' || asksOthers),
  )
}

/** Returns what an agent with these scopes may do. */
export function rightsOf(allowed: readonly Scope[]): Rights {
  return {
    capabilities: scopes
      .filter((scope) => allowed.includes(scope))
      .flatMap((scope): readonly string[] => scopeCapabilities[scope]),
    asksOthers: allowed.includes('ask:others'),
  }
}
