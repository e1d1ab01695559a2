/** The steps that a new duckling takes, and the form that each of them leads to. */

import { Check, ChevronRight } from 'lucide'
import type { Viewer } from '@/app/_web/viewer'
import { Duck } from '@/components/duck'
import { ButtonLink } from '@/components/ui/button'
import { Icon } from '@/components/ui/icon'
import { Link } from '@/components/ui/link'
import { m } from '@/lib/kernel/messages'

interface SetupStep {
  name: string
  isDone: boolean
  /** What to do. */
  title: string
  /** What the step is good for, or which step comes first. */
  why: string
  /** The form of the step, or of the step that comes first. A done step links to what it made. */
  href: string
  action: string
}

interface Progress {
  viewer: Viewer
  hasPasskey: boolean
  /** An agent whose first request the viewer has not decided, or null. */
  silentAgent: string | null
  /** Whether the viewer decided a request of an agent. */
  hasDecided: boolean
}

type Entry = Omit<SetupStep, 'why' | 'href'> & {
  why: string
  form: string
  result: string
  /** The step that must come first, while it is not done. */
  first?: Entry
}

/** Returns the setup steps in their order. */
export function setupSteps({ viewer, hasPasskey, silentAgent, hasDecided }: Progress): SetupStep[] {
  const email: Entry = {
    name: m.home_step_email_name(),
    isDone: viewer.email_verified,
    title: m.home_confirm_your_email(),
    why: m.home_step_email_why(),
    form: '/welcome',
    result: '/profile',
    action: m.home_enter_code(),
  }
  const certificate: Entry = {
    name: m.home_step_certificate_name(),
    // A revoked certificate also counts: the viewer decided to revoke it.
    isDone: viewer.cert_status !== 'none',
    title: m.home_issue_your_birth_certificate(),
    why: m.home_step_certificate_why(),
    form: '/certificate#issue',
    result: '/certificate',
    action: m.home_get_your_certificate(),
    first: email,
  }
  const passkey: Entry = {
    name: m.home_step_passkey_name(),
    isDone: hasPasskey,
    title: m.home_add_a_passkey(),
    why: m.home_step_passkey_why(),
    form: '/security#add-passkey',
    result: '/security#passkeys',
    action: m.home_add_a_passkey(),
  }
  const agent: Entry = {
    name: m.home_step_agent_name(),
    isDone: hasDecided,
    title: silentAgent === null ? m.home_connect_an_agent() : m.home_say_something(),
    why: m.home_step_agent_why(),
    form: silentAgent === null ? '/agents/new' : `/connect/first/${silentAgent}`,
    result: '/allowed',
    action: silentAgent === null ? m.home_connect_an_agent() : m.home_what_to_say(),
  }
  // The first request of an agent is what people come for.
  return [email, agent, passkey, certificate].map(stepOf)
}

/** Returns a step as it is shown. A step that needs another one first leads to that one. */
function stepOf({ form, result, first, ...step }: Entry): SetupStep {
  if (step.isDone) return { ...step, href: result }
  if (first === undefined || first.isDone) return { ...step, href: form }
  const title = first.title.charAt(0).toLowerCase() + first.title.slice(1)
  return { ...step, why: m.home_first_other_step({ why: step.why, title }), href: first.form }
}

interface SetupStepsProps {
  ducklingId: string
  steps: SetupStep[]
  /** The next step is the most important thing on the page. */
  isFirst: boolean
}

/** The setup steps, drawn as stepping stones. Each leads to its form. Nothing once all steps are done. */
export function SetupSteps({ ducklingId, steps, isFirst }: SetupStepsProps) {
  const next = steps.find(({ isDone }) => !isDone)
  if (next === undefined) return null
  const done = steps.filter(({ isDone }) => isDone).length
  return (
    <section aria-labelledby="setup">
      <h2 id="setup" className={isFirst ? '' : 'text-lg leading-snug'}>
        {isFirst ? m.home_get_started() : m.home_setup()}
      </h2>
      <p className="mt-1 text-sm text-soft">
        {m.home_done_of_count_steps_done({ done, count: steps.length })}
      </p>
      <ol aria-label={m.home_setup_steps()} className={`grid ${isFirst ? 'mt-5 max-w-xl' : 'mt-4'}`}>
        {steps.map((step, n) => (
          <li
            key={step.name}
            aria-current={step === next ? 'step' : undefined}
            className="relative flex items-start gap-4 pb-4"
          >
            {n === steps.length - 1 ? null : <Path isDone={step.isDone} />}
            <Stone step={step} isNext={step === next} ducklingId={ducklingId} />
            {isFirst && step === next ? <NextStep step={step} /> : <StepLink step={step} />}
          </li>
        ))}
      </ol>
    </section>
  )
}

/** From one stone to the next. */
function Path({ isDone }: { isDone: boolean }) {
  return (
    <span
      aria-hidden="true"
      className={`absolute start-[1.1875rem] top-10 bottom-0 w-0.5 ${isDone ? 'bg-good' : 'bg-line'}`}
    />
  )
}

function NextStep({ step }: { step: SetupStep }) {
  return (
    <div className="min-w-0 flex-1 pt-1">
      <h3>{step.title}</h3>
      <p className="mt-0.5 text-sm text-soft">{step.why}</p>
      <ButtonLink href={step.href} kind="primary" className="mt-3">
        {step.action}
      </ButtonLink>
    </div>
  )
}

/** A step as a link, as large as its row. */
function StepLink({ step }: { step: SetupStep }) {
  return (
    <>
      <span className="min-w-0 flex-1 pt-1.5 text-sm">
        <Link
          href={step.href}
          className={`no-underline after:absolute after:inset-0 hover:underline ${step.isDone ? 'text-soft' : 'font-semibold'}`}
        >
          {step.isDone ? step.name : step.title}
          {step.isDone ? <span className="visually-hidden">{m.home_done()}</span> : null}
        </Link>
        {step.isDone ? null : <span className="mt-0.5 block text-soft">{step.why}</span>}
      </span>
      {step.isDone ? null : <Icon of={ChevronRight} size={18} className="mt-2.5 shrink-0 text-soft" />}
    </>
  )
}

interface StoneProps {
  step: SetupStep
  isNext: boolean
  ducklingId: string
}

function Stone({ step, isNext, ducklingId }: StoneProps) {
  if (isNext) return <Duck id={ducklingId} size={40} />
  return (
    <span
      className={`mx-0.5 my-0.5 grid size-9 shrink-0 place-items-center rounded-full border ${step.isDone ? 'border-good bg-good-wash text-good' : 'border-edge bg-ground text-soft'}`}
    >
      {step.isDone ? <Icon of={Check} size={17} /> : null}
    </span>
  )
}
