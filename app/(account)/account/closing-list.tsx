import type { ResponseOf } from '@/app/beak/_api/lines'
import { Sentence } from '@/components/sentence'
import { m } from '@/lib/kernel/messages'

type ClosedCounts = ResponseOf<'GET /beak/account/delete/preview'>

export type Counts = Partial<Record<keyof ClosedCounts, number>>

/** What is ended, and how, by the names of the counts. */
const parts = {
  certificates: m.account_closing_certificates,
  agents: m.account_closing_agents,
  keys: m.account_closing_keys,
  pecks_cancelled: m.account_closing_pecks_cancelled,
  grants_revoked: m.account_closing_grants_revoked,
  passkeys: m.account_closing_passkeys,
  sessions: m.account_closing_sessions,
  sso_tokens: m.account_closing_sso_tokens,
  webhooks: m.account_closing_webhooks,
  rules: m.account_closing_rules,
} satisfies { [Name in keyof ClosedCounts]?: unknown }

/** The names of the counts, as the API and the address of the goodbye page use them. */
export const partNames = Object.keys(parts) as (keyof typeof parts)[]

/** Lists how many things closing an account ends, or has ended. Leaves out counts of zero. `max`: where counting ended. */
export function ClosingList({ counts, max }: { counts: Counts; max?: number }) {
  const listed = partNames.filter((name) => (counts[name] ?? 0) > 0)
  if (listed.length === 0) return null
  return (
    <ul className="border-t border-line">
      {listed.map((name) => (
        <li key={name} className="flex items-baseline gap-4 border-b border-line py-2.5">
          <span className="w-12 text-end font-display text-lg font-semibold tabular-nums">
            {counts[name] === max ? `${max}+` : counts[name]}
          </span>
          <span>
            <Sentence
              of={parts[name]}
              with={{ count: counts[name] ?? 0 }}
              parts={{ end: (children) => <span className="text-soft">{children}</span> }}
            />
          </span>
        </li>
      ))}
    </ul>
  )
}
