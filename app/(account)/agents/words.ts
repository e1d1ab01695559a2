import type { ResponseOf } from '@/app/beak/_api/lines'
import type { Choice } from '@/components/ui/choices'
import type { Tone } from '@/components/ui/surface'
import type { Agent } from './read'

/** How the pages show each status of an agent. */
export const statusTexts: Record<Agent['status'], { label: string; tone: Tone; explanation: string }> = {
  registered: {
    label: 'Not bonded yet',
    tone: 'accent',
    explanation: "It can't do anything until it has bonded.",
  },
  bonded: { label: 'Bonded', tone: 'good', explanation: 'It can act for you within its capabilities.' },
  suspended: { label: 'Suspended', tone: 'warn', explanation: "It can't do anything until you resume it." },
  deregistered: {
    label: 'Deregistered',
    tone: 'neutral',
    explanation: 'It was deregistered and can never act again.',
  },
}

/** The capabilities that give access to an endpoint here (contract A, beak key). */
export const knownCapabilities: Choice[] = [
  { value: 'request:peck', label: 'request:peck', hint: 'Ask people for permission on your behalf.' },
  { value: 'read:peck', label: 'read:peck', hint: 'Read the requests that it sent.' },
  { value: 'read:profile', label: 'read:profile', hint: 'Read your profile, including your email address.' },
  { value: 'read:cert', label: 'read:cert', hint: 'Read your birth certificate.' },
  { value: 'issue:sso', label: 'issue:sso', hint: 'Create tokens that sign in to other sites as you.' },
  { value: 'read:audit', label: 'read:audit', hint: 'Read your audit log.' },
]

/** Ticked by default: what an agent needs to send requests. */
export const defaultCapabilities = ['request:peck', 'read:peck']

/** Suggestions. The API accepts any text of the same form. */
export const suggestedTypes = [
  'assistant',
  'browser',
  'coder',
  'monitor',
  'researcher',
  'scheduler',
  'service',
]

export type Dependents = Omit<ResponseOf<'GET /beak/agent/deregister/preview'>, 'agent_id'>

/** Returns a phrase for each kind of thing that ends with an agent. Kinds with a count of 0 are left out. */
export function dependentWords({ pending_pecks, active_grants, sso_tokens }: Dependents): string[] {
  const phrases: [number, string, string][] = [
    [pending_pecks, 'waiting request', 'waiting requests'],
    [active_grants, 'active permission', 'active permissions'],
    [sso_tokens, 'SSO token', 'SSO tokens'],
  ]
  return phrases.flatMap(([count, one, many]) =>
    count === 0 ? [] : [`${count} ${count === 1 ? one : many}`],
  )
}
