'use server'

import { isolated, personName } from '@beak/decision/person-name'
import { formAction, type Outcome } from '@/app/_web/form-action'
import { hasPasskey } from '@/app/_web/passkeys'
import { fieldProblem, type Problem } from '@/app/_web/problem'
import { atCodeField } from '@/app/_web/sign-in-again'
import { askViewer, type Viewer } from '@/app/_web/viewer'
import { type FormState, field, succeeded } from '@/components/ui/form-state'
import { chosenZone } from '@/components/ui/zone'
import { m } from '@/lib/kernel/messages'
import { keptText } from '@/lib/kernel/text/kept-values'
import { inZone } from '@/lib/kernel/text/time-words'
import { email as emailField } from '@/lib/kernel/typed/email'
import type { EmailStep } from './email-steps'

const page = '/profile'

export const changeName = formAction({
  call: 'POST /beak/name-change',
  input: (form) => ({ full_name: field(form, 'full_name').trim() }),
  page,
  refusal: atNameField,
  done: (profile) => keptText(m.profile_your_name_is_now, { name: isolated(personName(profile)) }),
})

export const takeBackNames = formAction({
  call: 'POST /beak/name-change/undo',
  input: (form) => ({ changed_at: field(form, 'changed_at') }),
  page,
  done: (profile) => keptText(m.profile_your_name_is_again, { name: isolated(personName(profile)) }),
})

/** Takes the handle with `@` too, as people write it. */
export const claimHandle = formAction({
  call: 'POST /beak/handle/claim',
  input: (form) => ({ handle: field(form, 'handle').replace(/^@/, '') }),
  page,
  refusal: atHandleField,
  done: ({ handle }) => keptText(m.profile_your_handle_is_now_handle, { handle: handle ?? '' }),
})

export const releaseHandle = formAction({
  call: 'POST /beak/handle/release',
  page,
  done: () => m.profile_you_have_no_handle_now(),
})

/** Moves a refusal of a handle beside its field: taken, or no change left. */
async function atHandleField(problem: Problem): Promise<Problem> {
  const beside = (message: string) => ({ ...problem, errors: [{ field: 'handle', message }] })
  if (problem.reason === 'handle_taken') return beside(problem.detail)
  if (problem.next_allowed_at === undefined) return problem
  const day = inZone(problem.next_allowed_at, await chosenZone(), 'day')
  return beside(m.profile_you_can_choose_another_handle_from({ day }))
}

/** Moves a refusal within the 30 days beside the name, with the date of the next possible change. */
async function atNameField(problem: Problem): Promise<Problem> {
  if (problem.next_allowed_at === undefined) return problem
  const day = inZone(problem.next_allowed_at, await chosenZone(), 'day')
  const message = m.profile_name_locked_error({ day })
  return { ...problem, errors: [{ field: 'full_name', message }] }
}

export const changeAbout = formAction({
  call: 'POST /beak/profile/update',
  input: (form) => ({
    bio: field(form, 'bio'),
    directory_visible: form.has('directory_visible'),
    findable_by_email: form.has('findable_by_email'),
  }),
  page,
  done: () => m.profile_saved(),
})

export const changeRequestSettings = formAction({
  call: 'POST /beak/profile/update',
  input: async (form) => {
    const needsPasskey = form.has('require_passkey_for_pecks')
    const problem = needsPasskey ? await missingPasskey() : null
    if (problem !== null) return problem
    return {
      // The API refuses an unknown tier with an error for this field.
      min_peck_tier: field(form, 'min_peck_tier') as Viewer['min_peck_tier'],
      require_passkey_for_pecks: needsPasskey,
    }
  },
  page,
  done: () => m.profile_saved(),
})

/** Returns a problem when the viewer requires a passkey for the first time but has none. */
async function missingPasskey(): Promise<Problem | null> {
  if (await hasPasskey()) return null
  const viewer = await askViewer(page)
  if (!viewer.ok) return viewer.problem
  if (viewer.data.require_passkey_for_pecks) return null
  return fieldProblem('require_passkey_for_pecks', m.profile_require_passkey_refused())
}

/** Two steps in one form: the new address, then the code that was sent to it. */
export async function changeEmail(
  previous: FormState<EmailStep>,
  form: FormData,
): Promise<FormState<EmailStep>> {
  return form.has('restart') ? succeeded(previous, '', { step: 'address' }) : takeEmailStep(previous, form)
}

const hasCode = (form: FormData) => form.has('otp')
/** The page shows the address as it is stored. So it never shows a domain as another one that looks like it. */
const newAddress = (form: FormData) => {
  const typed = field(form, 'new_email')
  return emailField.safeParse(typed).data ?? typed
}

const takeEmailStep = formAction({
  call: 'POST /beak/email-change',
  input: (form) => ({
    new_email: newAddress(form),
    ...(hasCode(form) ? { otp: field(form, 'otp') } : {}),
  }),
  page,
  changes: (form) => (hasCode(form) ? [page] : []),
  refusal: (problem, form) => (hasCode(form) ? atCodeField(problem) : problem),
  keep: (_, form): EmailStep | undefined =>
    hasCode(form) ? { step: 'code', address: newAddress(form) } : undefined,
  done: (_, form): Outcome<EmailStep> => {
    const address = newAddress(form)
    if (hasCode(form))
      return {
        message: keptText(m.profile_your_email_address_is_now_address, { address }),
        data: { step: 'address' },
      }
    return {
      message: keptText(m.profile_code_is_on_its_way_address, { address }),
      data: { step: 'code', address },
    }
  },
})
