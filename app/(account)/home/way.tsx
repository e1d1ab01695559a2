import { Check } from 'lucide-react'
import type { Viewer } from '@/app/_web/viewer'
import { Duck } from '@/components/duck'
import { ButtonLink } from '@/components/ui/button'

interface Stone {
  name: string
  isDone: boolean
  title: string
  why: string
  href: string
  action: string
}

/** The stones on the way, in the order they are stepped on. */
export function stones(viewer: Viewer, hasPasskey: boolean, hasAgent: boolean): Stone[] {
  return [
    {
      name: 'E-mail',
      isDone: viewer.email_verified,
      title: 'Confirm your e-mail',
      why: 'Six digits are in your mailbox. With them you stand at T1, and can hold a certificate.',
      href: '/welcome',
      action: 'Enter the code',
    },
    {
      name: 'Certificate',
      // One that was revoked is a decision, not a gap.
      isDone: viewer.cert_status !== 'none',
      title: 'Issue your birth certificate',
      why: 'It says who you are and how far you are confirmed. Anybody can check it.',
      href: '/certificate',
      action: 'To the certificate',
    },
    {
      name: 'Passkey',
      isDone: hasPasskey,
      title: 'Add a passkey',
      why: 'It signs you in without a code, and signs what you approve.',
      href: '/security',
      action: 'To your passkeys',
    },
    {
      name: 'First agent',
      isDone: hasAgent,
      title: 'Register an agent',
      why: 'It gets a key of its own, and asks you before it does what it may not.',
      href: '/agents',
      action: 'To your agents',
    },
  ]
}

/** What is still missing, as stepping stones in the pond; nothing once the other bank is reached. */
export function Way({ ducklingId, way, isFirst }: { ducklingId: string; way: Stone[]; isFirst: boolean }) {
  const next = way.find(({ isDone }) => !isDone)
  if (next === undefined) return null
  return (
    <section aria-labelledby="way">
      <h2 id="way">{next.title}</h2>
      <p className="mt-1 max-w-prose text-soft">{next.why}</p>
      <ButtonLink href={next.href} kind={isFirst ? 'primary' : 'plain'} className="mt-4">
        {next.action}
      </ButtonLink>
      <ol aria-label="Your way so far" className="relative mt-8 grid max-w-xl grid-cols-4">
        <svg
          viewBox="0 0 400 16"
          preserveAspectRatio="none"
          aria-hidden="true"
          className="absolute inset-x-0 top-5 -z-10 h-4 w-full text-line"
        >
          <path
            d="M0 8c17 0 17-6 33-6s17 6 34 6 16-6 33-6 17 6 33 6 17-6 34-6 16 6 33 6 17-6 33-6 17 6 34 6 16-6 33-6 17 6 33 6 17-6 34-6"
            fill="none"
            stroke="currentColor"
            strokeWidth="2"
            vectorEffect="non-scaling-stroke"
          />
        </svg>
        {way.map((stone) => (
          <li key={stone.name} className="grid justify-items-center gap-2 text-center text-xs">
            {stone === next ? (
              <Duck id={ducklingId} size={52} />
            ) : (
              <span
                className={`my-1.5 grid size-10 place-items-center rounded-full border ${stone.isDone ? 'border-good bg-good-wash text-good' : 'border-edge bg-ground text-soft'}`}
              >
                {stone.isDone ? <Check aria-hidden="true" size={18} /> : null}
              </span>
            )}
            <span className={stone === next ? 'font-semibold' : 'text-soft'}>
              {stone.name}
              <span className="visually-hidden">
                {stone.isDone ? ', done' : stone === next ? ', next' : ', later'}
              </span>
            </span>
          </li>
        ))}
      </ol>
    </section>
  )
}
