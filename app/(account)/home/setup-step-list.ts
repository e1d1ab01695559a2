/** The steps that a new duckling takes, and the form that each of them leads to. The tiers follow contract B (trust). */
import type { Viewer } from '@/app/_web/viewer'
import { reaches } from '@/lib/kernel/tier'

export interface SetupStep {
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
  hasAgent: boolean
}

type Entry = Omit<SetupStep, 'why' | 'href'> & {
  why: string
  form: string
  result: string
  /** The step that must come first, while it is not done. */
  first?: Entry | null
}

/** Returns the setup steps in their order. */
export function setupSteps({ viewer, hasPasskey, hasAgent }: Progress): SetupStep[] {
  const tier = viewer.trust_tier
  const email: Entry = {
    name: 'Email',
    isDone: viewer.email_verified,
    title: 'Confirm your email',
    why: 'Unlocks tier T1: a birth certificate, and requests to most people.',
    form: '/welcome',
    result: '/profile',
    action: 'Enter code',
  }
  const certificate: Entry = {
    name: 'Certificate',
    // A revoked certificate also counts: the viewer decided to revoke it.
    isDone: viewer.cert_status !== 'none',
    title: 'Issue your birth certificate',
    why: 'It shows who you are and your trust tier. Anyone can check it.',
    form: '/certificate#issue',
    result: '/certificate',
    action: 'Get your certificate',
    first: email,
  }
  const passkey: Entry = {
    name: 'Passkey',
    isDone: hasPasskey,
    title: 'Add a passkey',
    why: 'Sign in without a code, and sign the requests you approve.',
    form: '/security#add-passkey',
    result: '/security#passkeys',
    action: 'Add a passkey',
  }
  const agent: Entry = {
    name: 'Agent',
    isDone: hasAgent,
    title: 'Register an agent',
    why: "It gets its own key, and asks before doing anything it isn't allowed to.",
    form: '/agents/new',
    result: '/agents',
    action: 'Register an agent',
  }
  const phone: Entry = {
    name: 'Phone',
    isDone: reaches(tier, 'T2'),
    title: 'Confirm your phone',
    why: 'Unlocks tier T2: you can give permissions that last until you revoke them.',
    form: '/security#confirm-phone',
    result: '/security#tier',
    action: 'Confirm my phone',
    first: email,
  }
  const top: Entry = {
    name: 'Tier T3',
    isDone: reaches(tier, 'T3'),
    title: 'Confirm with your passkey',
    why: 'Unlocks tier T3: requests to people who accept only T3.',
    form: '/security#confirm-passkey',
    result: '/security#tier',
    action: 'Reach T3',
    first: phone.isDone ? passkey : phone,
  }
  return [email, certificate, passkey, agent, phone, top].map(stepOf)
}

/** Returns a step as it is shown. A step that needs another one first leads to that one. */
function stepOf({ form, result, first, ...step }: Entry): SetupStep {
  if (step.isDone) return { ...step, href: result }
  const missing = first && !first.isDone ? (first.first && !first.first.isDone ? first.first : first) : null
  if (missing === null) return { ...step, href: form }
  const title = missing.title.charAt(0).toLowerCase() + missing.title.slice(1)
  return { ...step, why: `${step.why} First, ${title}.`, href: missing.form }
}
