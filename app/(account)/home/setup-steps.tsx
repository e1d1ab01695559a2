import { Check } from 'lucide-react'
import type { Viewer } from '@/app/_web/viewer'
import { Duck } from '@/components/duck'
import { ButtonLink } from '@/components/ui/button'

interface SetupStep {
  name: string
  isDone: boolean
  title: string
  why: string
  href: string
  action: string
}

/** Returns the setup steps in their order. */
export function setupSteps(viewer: Viewer, hasPasskey: boolean, hasAgent: boolean): SetupStep[] {
  return [
    {
      name: 'Email',
      isDone: viewer.email_verified,
      title: 'Confirm your email',
      why: 'We sent you a six-digit code. Enter it to reach tier T1 and get a certificate.',
      href: '/welcome',
      action: 'Enter code',
    },
    {
      name: 'Certificate',
      // A revoked certificate also counts: the viewer decided to revoke it.
      isDone: viewer.cert_status !== 'none',
      title: 'Issue your birth certificate',
      why: 'It shows who you are and your trust tier. Anyone can check it.',
      href: '/certificate',
      action: 'Get your certificate',
    },
    {
      name: 'Passkey',
      isDone: hasPasskey,
      title: 'Add a passkey',
      why: 'Sign in without a code, and sign the requests you approve.',
      href: '/security',
      action: 'Add a passkey',
    },
    {
      name: 'First agent',
      isDone: hasAgent,
      title: 'Register an agent',
      why: "It gets its own key, and asks before doing anything it isn't allowed to.",
      href: '/agents/new',
      action: 'Register an agent',
    },
  ]
}

interface SetupStepsProps {
  ducklingId: string
  steps: SetupStep[]
  /** Nothing more important is above it on the page. */
  isFirst: boolean
}

/** The next setup step and the progress, drawn as stepping stones in the pond. Nothing once all steps are done. */
export function SetupSteps({ ducklingId, steps, isFirst }: SetupStepsProps) {
  const next = steps.find(({ isDone }) => !isDone)
  if (next === undefined) return null
  return (
    <section aria-labelledby="setup">
      <h2 id="setup">{next.title}</h2>
      <p className="mt-1 max-w-prose text-soft">{next.why}</p>
      <ButtonLink href={next.href} kind={isFirst ? 'primary' : 'plain'} className="mt-4">
        {next.action}
      </ButtonLink>
      <ol aria-label="Setup steps" className="relative mt-8 grid max-w-xl grid-cols-4">
        <Water />
        {steps.map((step) => (
          <SteppingStone key={step.name} step={step} isNext={step === next} ducklingId={ducklingId} />
        ))}
      </ol>
    </section>
  )
}

function Water() {
  return (
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
  )
}

interface SteppingStoneProps {
  step: SetupStep
  isNext: boolean
  ducklingId: string
}

function SteppingStone({ step, isNext, ducklingId }: SteppingStoneProps) {
  return (
    <li className="grid justify-items-center gap-2 text-center text-xs">
      {isNext ? (
        <Duck id={ducklingId} size={52} />
      ) : (
        <span
          className={`my-1.5 grid size-10 place-items-center rounded-full border ${step.isDone ? 'border-good bg-good-wash text-good' : 'border-edge bg-ground text-soft'}`}
        >
          {step.isDone ? <Check aria-hidden="true" size={18} /> : null}
        </span>
      )}
      <span className={isNext ? 'font-semibold' : 'text-soft'}>
        {step.name}
        <span className="visually-hidden">{step.isDone ? ', done' : isNext ? ', next' : ', later'}</span>
      </span>
    </li>
  )
}
