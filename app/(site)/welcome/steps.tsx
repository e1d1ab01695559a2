import { Check } from 'lucide'
import { Icon } from '@/components/ui/icon'
import { m } from '@/lib/kernel/messages'

export type Step = 'address' | 'passkey' | 'certificate'

const steps = [
  { step: 'address', name: m.welcome_step_email },
  { step: 'passkey', name: m.welcome_step_passkey },
  { step: 'certificate', name: m.welcome_step_certificate },
] as const

/** The steps of the welcome. A skipped step is not ticked. */
export function Steps({ at, done }: { at: Step; done: Step[] }) {
  return (
    <ol className="mb-8 flex flex-wrap gap-x-5 gap-y-2 text-sm">
      {steps.map(({ step, name }, n) => {
        const isDone = done.includes(step)
        const isHere = step === at
        return (
          <li
            key={step}
            aria-current={isHere ? 'step' : undefined}
            className={`flex items-center gap-2 ${isHere ? 'font-semibold' : 'text-soft'}`}
          >
            <span
              className={`grid size-6 place-items-center rounded-full text-xs font-semibold tabular-nums ${isDone ? 'bg-good-wash text-good' : isHere ? 'bg-ink text-ground' : 'bg-sunken'}`}
            >
              {isDone ? <Icon of={Check} size={14} strokeWidth={3} /> : n + 1}
            </span>
            {name()}
            {isDone ? <span className="visually-hidden">{m.welcome_done()}</span> : null}
          </li>
        )
      })}
    </ol>
  )
}
