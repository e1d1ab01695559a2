import { Check, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from '@/components/ui/link'
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
          This page does not prove
        </h2>
        <ul className="mt-3 grid gap-3 text-sm">
          <Point isProved={false}>
            <strong>that you are talking to {name}.</strong> Anyone can show you this page. Ask the agent for
            a token that was made for you, and{' '}
            <Link href="/verify" className="text-accent underline">
              check the token
            </Link>
            .
          </Point>
          <Point isProved={false}>
            <strong>that it may do what it asks of you.</strong> A permission is a separate token, which you
            use up before you act.
          </Point>
          <Point isProved={false}>
            <strong>that its name is true.</strong> Its operator chose {name} freely, and other agents can
            have the same name.
          </Point>
        </ul>
      </section>
      <section aria-labelledby="proved">
        <h2 id="proved" className="text-lg leading-snug">
          It proves
        </h2>
        <ul className="mt-3 grid gap-3 text-sm">
          <Point isProved>
            that an agent with this ID exists, and proved once that it holds the key from its operator.
          </Point>
          <Point isProved>
            that <bdi>{personName(operator)}</bdi>, at trust tier {operator.trust_tier}, is responsible for
            it.
          </Point>
          <Point isProved>that it was not suspended or deregistered when this page checked it.</Point>
        </ul>
      </section>
    </div>
  )
}

function Point({ isProved, children }: { isProved: boolean; children: ReactNode }) {
  const Icon = isProved ? Check : X
  return (
    <li className="flex items-start gap-3">
      <Icon
        aria-hidden="true"
        size={18}
        className={`mt-0.5 shrink-0 ${isProved ? 'text-good' : 'text-bad'}`}
      />
      <span className="min-w-0 wrap-anywhere">{children}</span>
    </li>
  )
}
