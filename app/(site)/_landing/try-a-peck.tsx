import { Check, X } from 'lucide'
import type { ReactNode } from 'react'
import { Duck } from '@/components/duck'
import { Sentence } from '@/components/sentence'
import { Icon } from '@/components/ui/icon'
import { Pill } from '@/components/ui/surface'
import { m } from '@/lib/kernel/messages'

/** The parameters of the example request. */
const terms = [
  { name: m.landing_example_to, value: () => 'anna@harbour.example' },
  { name: m.landing_example_subject, value: m.landing_example_offer },
  { name: m.landing_example_attachment, value: () => 'offer.pdf' },
]

/**
 * A request that visitors can try to answer. It consists of two radio buttons, so it needs no script and sends nothing. The outcome
 * lies on top of the earlier text, so the card keeps its size.
 */
export function TryAPeck() {
  return (
    <div className="relative isolate pt-24 sm:pt-28">
      <Ripples />
      <Duck id="DUCK-QXQH" size={176} bare className="absolute top-0 right-6 sm:right-14" />
      <fieldset className="group relative rounded-card border border-line bg-surface p-5 shadow-card sm:p-8">
        <legend className="visually-hidden">{m.landing_try_answering_request_nothing_is_sent()}</legend>
        <div className="flex items-center gap-3">
          <Duck id="AGT-7ZH1" size={44} />
          <p className="text-sm leading-snug">
            <strong>Scout</strong>
            <br />
            <span className="text-soft">{m.landing_your_ai_agent()}</span>
          </p>
        </div>
        <p className="mt-5 font-display text-xl font-semibold tracking-tight text-balance">
          <Sentence
            of={m.landing_try_request_sentence}
            parts={{ span: (children) => <span className="text-pond">{children}</span> }}
          />
        </p>
        <dl className="mt-5 grid gap-1 border-y border-line py-3 text-sm">
          {terms.map(({ name, value }) => (
            <div key={name()} className="flex justify-between gap-4">
              <dt className="text-soft">{name()}</dt>
              <dd className="font-medium tabular-nums">{value()}</dd>
            </div>
          ))}
        </dl>
        <div className="mt-5 flex gap-3">
          <Choice
            name="approve"
            className="border-ink bg-ink text-ground has-checked:border-good has-checked:bg-good-wash has-checked:text-good"
          >
            <Icon of={Check} size={17} />
            {m.landing_approve()}
          </Choice>
          <Choice
            name="reject"
            className="border-edge bg-surface hover:bg-sunken has-checked:border-bad has-checked:bg-bad-wash has-checked:text-bad"
          >
            <Icon of={X} size={17} />
            {m.landing_reject()}
          </Choice>
        </div>
        <div className="mt-4 grid text-sm text-soft *:col-start-1 *:row-start-1">
          <p className="group-has-checked:invisible">{m.landing_go_ahead_answer_its_just_demo()}</p>
          <Outcome name="approve" className="group-has-[#try-approve:checked]:visible">
            <Sentence
              of={m.landing_try_approved_result}
              parts={{ pill: (children) => <Pill tone="good">{children}</Pill> }}
            />
          </Outcome>
          <Outcome name="reject" className="group-has-[#try-reject:checked]:visible">
            <Sentence
              of={m.landing_try_rejected_result}
              parts={{ pill: (children) => <Pill tone="bad">{children}</Pill> }}
            />
          </Outcome>
        </div>
      </fieldset>
    </div>
  )
}

function Choice({ name, className, children }: { name: string; className: string; children: ReactNode }) {
  return (
    <label
      className={`inline-flex min-h-11 grow cursor-pointer items-center justify-center gap-2 rounded-control border px-4 text-sm font-semibold transition-colors duration-150 has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent ${className}`}
    >
      <input
        type="radio"
        name="try"
        id={`try-${name}`}
        aria-describedby={`tried-${name}`}
        className="visually-hidden"
      />
      {children}
    </label>
  )
}

function Outcome({ name, className, children }: { name: string; className: string; children: ReactNode }) {
  return (
    <p id={`tried-${name}`} className={`invisible ${className}`}>
      {children}
    </p>
  )
}

/** Rings in the water around the duck. */
function Ripples() {
  return (
    <svg
      viewBox="0 0 600 240"
      aria-hidden="true"
      className="absolute inset-x-0 top-0 -z-10 w-full overflow-visible text-pond"
    >
      {[64, 112, 168, 232, 304].map((radius, index) => (
        <ellipse
          key={radius}
          cx="440"
          cy="132"
          rx={radius}
          ry={radius * 0.34}
          fill="none"
          stroke="currentColor"
          strokeWidth="1.2"
          opacity={0.55 - index * 0.1}
        />
      ))}
    </svg>
  )
}
