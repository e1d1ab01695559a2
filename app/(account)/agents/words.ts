import type { ResponseOf } from '@/app/beak/_api/lines'
import type { Choice } from '@/components/ui/choices'
import type { Tone } from '@/components/ui/surface'

type AgentStatus = 'registered' | 'bonded' | 'suspended' | 'deregistered'

/** What each state is called here, and how it is coloured. */
export const stateWords: Record<AgentStatus, { word: string; tone: Tone; meaning: string }> = {
  registered: { word: 'Not bonded yet', tone: 'accent', meaning: 'It can do nothing until it has bonded.' },
  bonded: { word: 'Bonded', tone: 'good', meaning: 'It may act for you within its capabilities.' },
  suspended: { word: 'Suspended', tone: 'warn', meaning: 'It can do nothing until you resume it.' },
  deregistered: { word: 'Deregistered', tone: 'neutral', meaning: 'It has ended for good.' },
}

/** The capabilities that open an endpoint here (contract A, beak key). */
export const knownCapabilities: Choice[] = [
  { value: 'request:peck', label: 'request:peck', hint: 'Ask ducklings for permission, with you behind it.' },
  { value: 'read:peck', label: 'read:peck', hint: 'Follow the pecks it has sent itself.' },
  { value: 'read:profile', label: 'read:profile', hint: 'Read your profile, your address included.' },
  { value: 'read:cert', label: 'read:cert', hint: 'Read your birth certificate.' },
  { value: 'issue:sso', label: 'issue:sso', hint: 'Make tokens that sign in to other sites as you.' },
  { value: 'read:audit', label: 'read:audit', hint: 'Read your audit log.' },
]

/** Ticked to begin with: what it takes to ask. Everything else an operator adds knowingly. */
export const usualCapabilities = ['request:peck', 'read:peck']

/** Suggestions; any word of that form will do. */
export const usualTypes = ['assistant', 'browser', 'coder', 'monitor', 'researcher', 'scheduler', 'service']

export type Dependents = Omit<ResponseOf<'GET /beak/agent/deregister/preview'>, 'agent_id'>

/** Returns a phrase for each kind of thing that ends with an agent. Kinds with a count of 0 are left out. */
export function dependentWords({ pending_pecks, active_grants, sso_tokens }: Dependents): string[] {
  const phrases: [number, string, string][] = [
    [pending_pecks, 'waiting peck', 'waiting pecks'],
    [active_grants, 'active permission', 'active permissions'],
    [sso_tokens, 'SSO token', 'SSO tokens'],
  ]
  return phrases.flatMap(([count, one, many]) =>
    count === 0 ? [] : [`${count} ${count === 1 ? one : many}`],
  )
}
