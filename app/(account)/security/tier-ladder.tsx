import { Check } from 'lucide'
import type { ReactNode } from 'react'
import { Sentence } from '@/components/sentence'
import { Icon } from '@/components/ui/icon'
import { m } from '@/lib/kernel/messages'
import { reaches, type Tier } from '@/lib/kernel/request/tier'
import { ChangePhone } from './phone-steps'

interface Rung {
  tier: Tier
  /** What the person has proved at this tier. */
  name: () => string
  /** What to do to reach it. */
  step: () => string
  unlocks: () => string
  unlocked: () => string
  /** Leads to the form of the step, from a later tier. */
  first: typeof m.security_first_email
  /** The form of the step, on this page. */
  form: string
}

/** Everybody has reached the first one, so it has no step. */
const rungs: Rung[] = [
  {
    tier: 'T0',
    name: m.security_name_signed_up,
    step: m.security_name_signed_up,
    unlocks: m.security_unlocked_t0,
    unlocked: m.security_unlocked_t0,
    first: m.security_first_email,
    form: '',
  },
  {
    tier: 'T1',
    name: m.security_name_email,
    step: m.security_confirm_your_email,
    unlocks: m.security_unlocks_t1,
    unlocked: m.security_unlocked_t1,
    first: m.security_first_email,
    form: '#confirm-email',
  },
  {
    tier: 'T2',
    name: m.security_name_phone,
    step: m.security_confirm_your_phone,
    unlocks: m.security_unlocks_t2,
    unlocked: m.security_unlocked_t2,
    first: m.security_first_phone,
    form: '#confirm-phone',
  },
  {
    tier: 'T3',
    name: m.security_name_passkey,
    step: m.security_confirm_with_your_passkey,
    unlocks: m.security_unlocks_t3,
    unlocked: m.security_unlocked_t3,
    first: m.security_first_passkey,
    form: '#confirm-passkey',
  },
]

/** The trust tiers, lowest first. `next` is the form that leads to the next tier. It is shown below that tier. */
export function TierLadder({ tier, next }: { tier: Tier; next: ReactNode }) {
  const here = rungs.findIndex((rung) => rung.tier === tier)
  return (
    <ol className="grid">
      {rungs.map((rung, n) => {
        const isReached = reaches(tier, rung.tier)
        const isLast = n === rungs.length - 1
        return (
          <li
            key={rung.tier}
            aria-current={n === here ? 'step' : undefined}
            className="grid grid-cols-[2.75rem_minmax(0,1fr)] gap-x-4"
          >
            <div className="grid grid-rows-[auto_1fr] justify-items-center">
              <span
                className={`grid size-11 place-items-center rounded-full border font-mono text-sm font-semibold ${isReached ? 'border-good bg-good-wash text-good' : 'border-edge bg-surface text-soft'}`}
              >
                {isReached ? <Icon of={Check} size={18} /> : n + 1}
              </span>
              {isLast ? null : (
                <span className={`w-0.5 grow ${n < here ? 'bg-good' : 'bg-line'}`} aria-hidden="true" />
              )}
            </div>
            <div className={isLast ? '' : 'pb-7'}>
              <h3 className="flex flex-wrap items-center gap-x-2 pt-2 text-base">
                {isReached ? rung.name() : rung.step()}
                {isReached ? <span className="visually-hidden">{m.security_reached()}</span> : null}
              </h3>
              <p className="mt-0.5 max-w-lg text-sm text-soft">
                {isReached ? rung.unlocked() : rung.unlocks()}
              </p>
              {rung.tier === 'T2' && isReached ? <ChangePhone /> : null}
              {n > here + 1 ? <First rung={rungs[here + 1]} /> : null}
              {n === here + 1 && next ? <div className="mt-5 mb-2 max-w-md">{next}</div> : null}
            </div>
          </li>
        )
      })}
    </ol>
  )
}

/** Leads from a later tier to the step that comes first. */
function First({ rung }: { rung: Rung | undefined }) {
  if (rung === undefined) return null
  return (
    <p className="text-sm text-soft">
      <Sentence
        of={rung.first}
        parts={{
          link: (children) => (
            <a href={rung.form} className="inline-block py-0.5 text-ink underline">
              {children}
            </a>
          ),
        }}
      />
    </p>
  )
}
