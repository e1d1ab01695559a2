'use server'

import { formAction } from '@/app/_web/form-action'
import type { BodyOf, ResponseOf } from '@/app/beak/_api/lines'
import { field } from '@/components/ui/form-state'
import { m } from '@/lib/kernel/messages'
import { keptText } from '@/lib/kernel/text/kept-values'

type Start = 'POST /beak/approver/enrol'
type Finish = 'POST /beak/approver/enrol/verify'

const page = '/security'

/** What the form needs to leave for the approver. */
export type Enrolment = ResponseOf<Start> & { covers: string }

/** Asks for what the approver needs to make a passkey. */
export const startApprover = formAction<Start, Enrolment>({
  call: 'POST /beak/approver/enrol',
  input: (form) => ({ origin: originIn(field(form, 'origin')) }),
  page,
  changes: [],
  done: (enrolment, form) => ({
    message: m.security_opening_your_approver(),
    data: { ...enrolment, covers: field(form, 'covers') },
  }),
})

/** People copy an address with its slash. */
const originIn = (text: string) => text.trim().replace(/\/$/, '')

export const finishApprover = formAction<Finish>({
  call: 'POST /beak/approver/enrol/verify',
  input: (form) => ({
    credential: JSON.parse(field(form, 'credential')) as BodyOf<Finish>['credential'],
    covers: field(form, 'covers') === 'all' ? 'all' : 'high',
  }),
  page,
  done: ({ origin, covers }) =>
    covers === 'all'
      ? keptText(m.security_from_now_on_origin_approves_everything, { origin })
      : keptText(m.security_from_now_on_origin_approves_high, { origin }),
})

export const removeApprover = formAction({
  call: 'POST /beak/approver/remove',
  input: () => ({}),
  page,
  done: () => m.security_approver_removal_started(),
})

export const keepApprover = formAction({
  call: 'POST /beak/approver/keep',
  input: () => ({}),
  page,
  done: () => m.security_your_approver_stays(),
})
