import { Check, Fingerprint } from 'lucide-react'
import type { ReactNode } from 'react'
import { Duck } from '@/components/duck'
import { Rosette } from '@/components/security-lines'
import { Water } from '@/components/water'

const request = `POST /beak/peck/request

{
  "action": "book:table",
  "scope": "limited",
  "params": { "guests": 4 }
}`

const checks = ['The request is unchanged', "Mallard's passkey signed it", 'Used 1 of 1 times']

/** Explains the idea in three steps: an agent asks, a person answers, anyone checks. */
export function Story() {
  return (
    <section aria-labelledby="story">
      <h2 id="story" className="max-w-2xl text-2xl">
        An agent asks, a person answers, anyone checks.
      </h2>
      <SwimmingDucks />
      <ol className="grid gap-x-12 gap-y-14 md:grid-cols-3">
        <Step
          title="The agent asks"
          text="Before an agent does something that matters, it sends a request, called a peck: what it wants to do, for whom, how often and until when. You see one sentence, written by Beak and never by the agent."
        >
          <pre className="text-[0.8125rem] leading-relaxed whitespace-pre-wrap">{request}</pre>
        </Step>
        <Step
          title="You answer"
          text="Approve or reject on any device. With a passkey, you sign the exact request, so nobody can change it later. You can withdraw the permission at any time."
        >
          <Signature />
        </Step>
        <Step
          title="Anyone checks"
          text="The restaurant uses up the permission at Beak. That works once, even when it is tried twice at the same moment. Anyone can verify the receipt without us, with a public key."
        >
          <ul className="grid gap-3">
            {checks.map((check) => (
              <li key={check} className="flex items-center gap-3">
                <span className="grid size-7 shrink-0 place-items-center rounded-full bg-good-wash text-good">
                  <Check aria-hidden="true" size={16} strokeWidth={2.5} />
                </span>
                {check}
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
        <Fingerprint aria-hidden="true" size={40} strokeWidth={1.5} />
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
