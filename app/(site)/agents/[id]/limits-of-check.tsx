import { Check, X } from 'lucide'
import type { ReactNode } from 'react'
import { Sentence } from '@/components/sentence'
import { Icon } from '@/components/ui/icon'
import { Link } from '@/components/ui/link'
import { m } from '@/lib/kernel/messages'
import { personName } from '@/lib/kernel/text/person-name'
import { quotable } from '@/lib/kernel/text/quote'
import type { Agent } from './check-agent'

/** What the check of a valid agent does not prove, and then what it proves. */
export function LimitsOfCheck({ agent: { agent_name, operator } }: { agent: Agent }) {
  const name = `“${quotable(agent_name)}”`
  return (
    <div className="grid gap-x-16 gap-y-8 rounded-card border border-line bg-surface px-6 py-6 sm:px-8 md:grid-cols-2">
      <section aria-labelledby="not-proved">
        <h2 id="not-proved" className="text-lg leading-snug">
          {m.agent_check_this_page_does_not_prove()}
        </h2>
        <ul className="mt-3 grid gap-3 text-sm">
          <Point isProved={false}>
            <Sentence
              of={m.agent_check_that_you_are_talking_name_anyone}
              with={{ name }}
              parts={{
                strong: (children) => <strong>{children}</strong>,
                link: (children) => (
                  <Link href="/verify" className="text-accent underline">
                    {children}
                  </Link>
                ),
              }}
            />
          </Point>
          <Point isProved={false}>
            <Sentence
              of={m.agent_check_that_it_may_do_what_it}
              parts={{ strong: (children) => <strong>{children}</strong> }}
            />
          </Point>
          <Point isProved={false}>
            <Sentence
              of={m.agent_check_that_its_name_is_true_its}
              with={{ name }}
              parts={{ strong: (children) => <strong>{children}</strong> }}
            />
          </Point>
        </ul>
      </section>
      <section aria-labelledby="proved">
        <h2 id="proved" className="text-lg leading-snug">
          {m.agent_check_it_proves()}
        </h2>
        <ul className="mt-3 grid gap-3 text-sm">
          <Point isProved>{m.agent_check_that_agent_with_this_id_exists()}</Point>
          <Point isProved>
            <Sentence
              of={m.agent_check_that_operator_at_trust_tier_trust}
              with={{ operator: personName(operator), trust_tier: operator.trust_tier }}
              parts={{ bdi: (children) => <bdi translate="no">{children}</bdi> }}
            />
          </Point>
          <Point isProved>{m.agent_check_that_it_was_not_suspended_or()}</Point>
        </ul>
      </section>
    </div>
  )
}

function Point({ isProved, children }: { isProved: boolean; children: ReactNode }) {
  return (
    <li className="flex items-start gap-3">
      <Icon
        of={isProved ? Check : X}
        size={18}
        className={`mt-0.5 shrink-0 ${isProved ? 'text-good' : 'text-bad'}`}
      />
      <span className="min-w-0 wrap-anywhere">{children}</span>
    </li>
  )
}
