import { Check, Fingerprint } from 'lucide'
import type { ReactNode } from 'react'
import { Duck } from '@/components/duck'
import { Rosette } from '@/components/security-lines'
import { Icon } from '@/components/ui/icon'
import { Water } from '@/components/water'
import { m } from '@/lib/kernel/messages'

const checks = [m.landing_check_unchanged, m.landing_check_signed, m.landing_check_used]

/** Explains the idea in three steps: an agent asks, a person answers, anyone checks. */
export function Story() {
  return (
    <section aria-labelledby="story">
      <h2 id="story" className="max-w-2xl text-2xl">
        {m.landing_agent_asks_person_answers_anyone_checks()}
      </h2>
      <SwimmingDucks />
      <ol className="grid gap-x-12 gap-y-14 md:grid-cols-3">
        <Step title={m.landing_the_agent_asks()} text={m.landing_story_ask_body()}>
          <p className="rounded-card border border-line bg-surface px-5 py-4 text-lg font-semibold shadow-card">
            {m.landing_story_ask_example()}
          </p>
        </Step>
        <Step title={m.landing_you_answer()} text={m.landing_story_decide_body()}>
          <Signature />
        </Step>
        <Step title={m.landing_anyone_checks()} text={m.landing_story_use_body()}>
          <ul className="grid gap-3">
            {checks.map((check) => (
              <li key={check()} className="flex items-center gap-3">
                <span className="grid size-7 shrink-0 place-items-center rounded-full bg-good-wash text-good">
                  <Icon of={Check} size={16} strokeWidth={2.5} />
                </span>
                {check()}
              </li>
            ))}
          </ul>
        </Step>
      </ol>
    </section>
  )
}

function Step({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <li className="grid content-start gap-3">
      <div className="mb-2 flex min-h-48 flex-col justify-center">{children}</div>
      <h3 className="text-xl">{title}</h3>
      <p className="text-soft">{text}</p>
    </li>
  )
}

/** A picture of a signature, drawn like the seal of a certificate. */
function Signature() {
  return (
    <div className="relative grid size-44 place-items-center">
      <Rosette
        id="PECK-SIGNED"
        strokeWidth={0.8}
        opacity={0.7}
        className="absolute inset-0 size-full text-pond"
      />
      <span className="grid size-20 place-items-center rounded-full bg-ground">
        <Icon of={Fingerprint} size={40} strokeWidth={1.5} />
      </span>
    </div>
  )
}

/** A line of water with a duck above each step. */
function SwimmingDucks() {
  const swimmers = ['AGT-7ZH1', 'DUCK-QXQH', 'DUCK-RANK']
  return (
    <div aria-hidden="true" className="relative mt-6 mb-8 h-16 md:mt-8">
      <Water waves={12} className="absolute inset-x-0 bottom-0" />
      <div className="grid h-full grid-cols-3 gap-x-12">
        {swimmers.map((id) => (
          <Duck key={id} id={id} size={64} bare className="self-end" />
        ))}
      </div>
    </div>
  )
}
