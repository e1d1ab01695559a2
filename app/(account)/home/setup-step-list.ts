/** The steps that a new duckling takes, and the form that each of them leads to. The tiers follow contract B (trust). */

import type { Viewer } from '@/app/_web/viewer'
import { m } from '@/lib/kernel/messages'
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
    title: m.home_confirm_your_email(),
    why: m.home_unlocks_tier_t1_birth_certificate_requests(),
    form: '/welcome',
    result: '/profile',
    action: m.home_enter_code(),
  }
  const certificate: Entry = {
    name: 'Certificate',
    // A revoked certificate also counts: the viewer decided to revoke it.
    isDone: viewer.cert_status !== 'none',
    title: m.home_issue_your_birth_certificate(),
    why: m.home_it_shows_who_you_are_your(),
    form: '/certificate#issue',
    result: '/certificate',
    action: m.home_get_your_certificate(),
    first: email,
  }
  const passkey: Entry = {
    name: 'Passkey',
    isDone: hasPasskey,
    title: m.home_add_a_passkey(),
    why: m.home_sign_in_without_code_sign_requests(),
    form: '/security#add-passkey',
    result: '/security#passkeys',
    action: m.home_add_a_passkey(),
  }
  const agent: Entry = {
    name: 'Agent',
    isDone: hasAgent,
    title: m.home_register_an_agent(),
    why: m.home_it_gets_its_own_key_asks(),
    form: '/agents/new',
    result: '/agents',
    action: m.home_register_an_agent(),
  }
  const phone: Entry = {
    name: 'Phone',
    isDone: reaches(tier, 'T2'),
    title: m.home_confirm_your_phone(),
    why: m.home_unlocks_tier_t2_you_can_give(),
    form: '/security#confirm-phone',
    result: '/security#tier',
    action: m.home_confirm_my_phone(),
    first: email,
  }
  const top: Entry = {
    name: 'Tier T3',
    isDone: reaches(tier, 'T3'),
    title: m.home_confirm_with_your_passkey(),
    why: m.home_unlocks_tier_t3_requests_people_who(),
    form: '/security#confirm-passkey',
    result: '/security#tier',
    action: m.home_reach_t3(),
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
  return { ...step, why: m.home_first_other_step({ why: step.why, title }), href: missing.form }
}
