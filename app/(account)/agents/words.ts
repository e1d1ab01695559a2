import type { ResponseOf } from '@/app/beak/_api/lines'
import type { Choice } from '@/components/ui/choices'
import type { Tone } from '@/components/ui/surface'
import { m } from '@/lib/kernel/messages'
import type { Agent } from './read'

/** How the pages show each status of an agent. */
export const statusTexts: Record<Agent['status'], { label: string; tone: Tone; explanation: string }> = {
  registered: {
    get label() {
      return m.agents_not_bonded_yet()
    },
    tone: 'accent',
    get explanation() {
      return m.agents_state_unbonded_meaning()
    },
  },
  bonded: {
    get label() {
      return m.agents_bonded()
    },
    tone: 'good',
    get explanation() {
      return m.agents_state_bonded_meaning()
    },
  },
  suspended: {
    get label() {
      return m.agents_suspended()
    },
    tone: 'warn',
    get explanation() {
      return m.agents_state_suspended_meaning()
    },
  },
  deregistered: {
    get label() {
      return m.agents_deregistered()
    },
    tone: 'neutral',
    get explanation() {
      return m.agents_state_deregistered_meaning()
    },
  },
}

const capability = (value: string, label: () => string, hint?: () => string): Choice => ({
  value,
  get label() {
    return label()
  },
  ...(hint && {
    get hint() {
      return hint()
    },
  }),
})

/** The capabilities that give access to an endpoint here (contract A, beak key), in words. */
export const knownCapabilities: Choice[] = [
  capability('request:peck', m.agents_may_ask),
  capability('read:peck', m.agents_may_read_answers),
  capability('read:profile', m.agents_may_read_profile),
  capability('read:cert', m.agents_may_read_certificate),
  capability('issue:sso', m.agents_may_sign_in, m.agents_may_sign_in_hint),
  capability('read:audit', m.agents_may_read_audit),
]

/** Ticked by default: what an agent needs to send requests. */
export const defaultCapabilities = ['request:peck', 'read:peck']

export type Dependents = Omit<ResponseOf<'GET /beak/agent/deregister/preview'>, 'agent_id'>

/** Returns a phrase for each kind of thing that ends with an agent. Kinds with a count of 0 are left out. */
export function dependentWords({ pending_pecks, active_grants, sso_tokens, rules }: Dependents): string[] {
  const phrases: [number, (input: { count: number }) => string][] = [
    [pending_pecks, m.agents_waiting_requests],
    [active_grants, m.agents_active_permissions],
    [sso_tokens, m.agents_sso_tokens],
    [rules, m.agents_rules],
  ]
  return phrases.flatMap(([count, words]) => (count === 0 ? [] : [words({ count })]))
}
