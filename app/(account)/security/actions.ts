'use server'

import { parseAssertion } from '@/app/_passkeys/ceremony'
import { formAction, type Outcome } from '@/app/_web/form-action'
import { atCodeField } from '@/app/_web/sign-in-again'
import { type FormState, field, succeeded } from '@/components/ui/form-state'
import { m } from '@/lib/kernel/messages'
import { keptText } from '@/lib/kernel/text/kept-values'
import { readPhone } from '@/lib/kernel/typed/phone'

export type PhoneStep = { step: 'phone' | 'confirmed' } | { step: 'code'; number: string }

const page = '/security'

export const removePasskey = formAction({
  call: 'POST /beak/passkey/remove',
  input: (form) => ({ passkey_id: field(form, 'passkey_id'), end_sessions: form.has('end_sessions') }),
  page,
  done: ({ name, ended_sessions: ended = 0 }) => {
    const removed = keptText(m.security_name_was_removed, { name })
    return ended === 0 ? removed : `${removed} ${m.security_sessions_were_signed_out({ count: ended })}`
  },
})

/** Cancels the undo of a change of address. All pages have its banner, so all are revalidated. */
export const keepNewEmail = formAction({
  call: 'POST /beak/email-change/undo/cancel',
  input: () => ({}),
  page,
  changes: ['/*'],
  done: () => m.security_cancelled_your_email_address_stays(),
})

/** Ends what the form names: a session with its device in words, the approval of a device, or all other sessions. */
export const endSessions = formAction({
  call: 'POST /beak/session/revoke',
  input: (form) => {
    if (form.has('all_others'))
      return { all_others: true as const, connected_agents: form.has('connected_agents') }
    return form.has('device_request_id')
      ? { device_request_id: field(form, 'device_request_id') }
      : { session_id: field(form, 'session_id') }
  },
  page,
  done: ({ revoked, disconnected_agents: agents = [] }, form) => {
    if (form.has('device_request_id')) return m.security_device_approval_withdrawn()
    const sessions = form.has('device')
      ? keptText(m.security_device_was_signed_out, { device: field(form, 'device') })
      : m.security_sessions_were_signed_out({ count: revoked })
    return agents.length === 0
      ? sessions
      : `${sessions} ${m.security_connections_were_ended({ count: agents.length })}`
  },
})

/** Ends what a site may know, and the sign-ins there. */
export const endSite = formAction({
  call: 'POST /beak/consent/revoke',
  input: (form) => ({ site_id: field(form, 'site_id') }),
  page,
  done: () => m.security_site_ended(),
})

/** Two steps in one form: the number, then the code that was sent to it. */
export async function confirmPhone(
  previous: FormState<PhoneStep>,
  form: FormData,
): Promise<FormState<PhoneStep>> {
  return form.has('restart') ? succeeded(previous, '', { step: 'phone' }) : takePhoneStep(previous, form)
}

const hasCode = (form: FormData) => form.has('otp')
/** The page shows the number as it was read. */
const phoneNumber = (form: FormData) => readPhone(field(form, 'phone'))

const phoneDone = (form: FormData) =>
  form.has('change') ? m.security_phone_changed_done() : m.security_phone_confirmed_done()

const takePhoneStep = formAction({
  call: 'PUT /beak/trust/elevate',
  input: (form) => (hasCode(form) ? { otp: field(form, 'otp') } : { phone: phoneNumber(form) }),
  page,
  changes: (form) => (hasCode(form) ? [page] : []),
  refusal: (problem, form) => (hasCode(form) ? atCodeField(problem) : problem),
  keep: (_, form): PhoneStep | undefined =>
    hasCode(form) ? { step: 'code', number: phoneNumber(form) } : undefined,
  done: (_, form): Outcome<PhoneStep> => {
    if (hasCode(form)) return { message: phoneDone(form), data: { step: 'confirmed' } }
    const number = phoneNumber(form)
    return { message: m.security_code_is_on_its_way_number({ number }), data: { step: 'code', number } }
  },
})

/** Raises the viewer from T0 to T1 with the code of the sign-up email or a newer one. */
export const confirmEmail = formAction({
  call: 'POST /beak/verify-email',
  input: (form) => ({ otp: field(form, 'otp') }),
  page,
  refusal: atCodeField,
  done: () => m.security_email_confirmed_done(),
})

export const sendEmailCode = formAction({
  call: 'POST /beak/verify-email/resend',
  input: () => ({}),
  page,
  changes: [],
  done: () => m.security_code_sent_again(),
})

/** Raises the viewer from T2 to T3 with the assertion of a passkey. */
export const confirmByPasskey = formAction({
  call: 'PUT /beak/trust/elevate',
  input: (form) => ({ passkey: parseAssertion(field(form, 'passkey')) }),
  page,
  done: () => m.security_passkey_confirmed_done(),
})
