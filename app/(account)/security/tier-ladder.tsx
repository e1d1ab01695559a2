import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import { reaches, type Tier } from '@/lib/kernel/tier'

interface Rung {
  tier: Tier
  /** What the person has proved at this tier. */
  name: string
  /** What to do to reach it. */
  step: string
  unlocks: string
  /** The form of the step, on this page. */
  form: string
}

const rungs: Rung[] = [
  {
    tier: 'T0',
    name: 'Signed up',
    step: 'Sign up',
    unlocks: 'a name, a duck, and agents that act for you.',
    form: '',
  },
  {
    tier: 'T1',
    name: 'Email confirmed',
    step: 'Confirm your email',
    unlocks: 'a birth certificate, a place in the directory, and requests to most people.',
    form: '#confirm-email',
  },
  {
    tier: 'T2',
    name: 'Phone confirmed',
    step: 'Confirm your phone',
    unlocks: 'standing permissions, which last until they are revoked.',
    form: '#confirm-phone',
  },
  {
    tier: 'T3',
    name: 'Confirmed by passkey',
    step: 'Confirm with your passkey',
    unlocks: 'the highest tier on your certificate, and requests to people who accept only T3.',
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
                {rung.tier}
              </span>
              {isLast ? null : (
                <span className={`w-0.5 grow ${n < here ? 'bg-good' : 'bg-line'}`} aria-hidden="true" />
              )}
            </div>
            <div className={isLast ? '' : 'pb-7'}>
              <h3 className="flex flex-wrap items-center gap-x-2 pt-2 text-base">
                {isReached ? rung.name : rung.step}
                {isReached ? (
                  <>
                    <Check aria-hidden="true" size={18} className="text-good" />
                    <span className="visually-hidden">reached</span>
                  </>
                ) : null}
              </h3>
              <p className="mt-0.5 max-w-lg text-sm text-soft">
                {isReached ? 'Unlocked: ' : `Unlocks ${rung.tier}: `}
                {rung.unlocks}
              </p>
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
      First,{' '}
      <a href={rung.form} className="inline-block py-0.5 text-ink underline">
        {rung.step.charAt(0).toLowerCase() + rung.step.slice(1)}
      </a>
      .
    </p>
  )
}
