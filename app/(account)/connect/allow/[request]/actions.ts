'use server'

import { cookies } from 'next/headers'
import { redirect } from 'next/navigation'
import { formAction, type Outcome } from '@/app/_web/form-action'
import { endSession } from '@/app/_web/sign-out'
import type { BodyOf, ResponseOf } from '@/app/beak/_api/lines'
import { type FormState, field, ticked } from '@/components/ui/form-state'
import { browserCookie, consentPath } from '@/lib/kernel/request/oauth-paths'

export interface Decided {
  decision: 'allowed' | 'denied'
  /** Where the browser goes now. */
  next: string
  /** The agent of the program, or null when it got none. */
  agentId: string | null
}

const consentIn = async (form: FormData) => ({
  request: field(form, 'request'),
  browser: (await cookies()).get(browserCookie)?.value ?? '',
})

const page = (form: FormData) => `${consentPath}/${field(form, 'request')}`

const done = (answer: ResponseOf<'POST /beak/consent/allow'>): Outcome<Decided> => ({
  data: { decision: answer.decision, next: answer.continue, agentId: answer.agent_id },
})

const allow = formAction({
  call: 'POST /beak/consent/allow',
  input: async (form) => ({
    ...(await consentIn(form)),
    agent_name: field(form, 'agent_name'),
    scopes: ticked(form, 'scopes') as BodyOf<'POST /beak/consent/allow'>['scopes'],
  }),
  page,
  changes: ['/allowed', '/home'],
  done,
})

const deny = formAction({ call: 'POST /beak/consent/deny', input: consentIn, page, changes: [], done })

const signIn = formAction({
  call: 'POST /beak/consent/sign-in',
  input: async (form) => ({
    ...(await consentIn(form)),
    scopes: ticked(form, 'scopes') as BodyOf<'POST /beak/consent/sign-in'>['scopes'],
  }),
  page,
  changes: ['/security'],
  done,
})

/** Signs out, and leads back here as somebody else. */
export async function changeAccount(form: FormData): Promise<void> {
  await endSession()
  redirect(`/signin?${new URLSearchParams({ next: page(form) })}`)
}

/** Allows or refuses the program, as the button says. */
export async function decideConsent(
  previous: FormState<Decided>,
  form: FormData,
): Promise<FormState<Decided>> {
  return field(form, 'decision') === 'allow' ? allow(previous, form) : deny(previous, form)
}

/** Signs in at the site or not, as the button says. */
export async function decideSite(previous: FormState<Decided>, form: FormData): Promise<FormState<Decided>> {
  return field(form, 'decision') === 'allow' ? signIn(previous, form) : deny(previous, form)
}
