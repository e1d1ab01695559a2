'use server'

import { isolated, personName } from '@beak/decision/person-name'
import { isTestRequest } from '@beak/decision/test-request'
import { api } from '@/app/_web/api'
import { explain } from '@/app/_web/form'
import { formAction } from '@/app/_web/form-action'
import { hasNothingToUndo, isConflict, type Problem } from '@/app/_web/problem'
import type { BodyOf } from '@/app/beak/_api/lines'
import { field } from '@/components/ui/form-state'
import { m } from '@/lib/kernel/messages'
import { WouldApprove } from '@/lib/kernel/request/would-approve'
import { keptText } from '@/lib/kernel/text/kept-values'
import { inZone } from '@/lib/kernel/text/time-words'
import { hiddenWords, unblockedWords } from '../_forms/outcome-words'
import { jsonField } from '../_peck/json-field'
import { ownZone } from '../_peck/own-zone'
import { pagesWithPecks } from '../_peck/pages'
import type { Peck } from '../_peck/reads'
import { type Decided, type Outcome, outcomeElsewhere, undoneMessage, undoSeconds } from './outcome'
import { rejectionTerms, termsReason, withTermsErrors } from './rejection-terms'

type Approve = 'POST /beak/peck/approve'
type Reject = 'POST /beak/peck/reject'
type Undo = 'POST /beak/peck/undo'
type Snooze = 'POST /beak/peck/snooze'
type Unblock = 'POST /beak/peck/unblock'

/** The page of the request: sign-in leads back to it, where a kept draft finds its form. */
const page = (form: FormData) => `/pecks/${field(form, 'peck_id')}`
const hasPasskey = (form: FormData) => field(form, 'passkey') !== ''

export const approvePeck = formAction<Approve, Outcome>({
  call: 'POST /beak/peck/approve',
  input: (form) => {
    const seconds = field(form, 'grant_expires_in')
    return {
      peck_id: field(form, 'peck_id'),
      ...(seconds === '' ? {} : { grant_expires_in: Number(seconds) }),
      ...(hasPasskey(form) ? { passkey: jsonField(form, 'passkey') as BodyOf<Approve>['passkey'] } : {}),
    }
  },
  page,
  changes: pagesWithPecks,
  refusal: (problem) => withOutcome(withoutProof(problem)),
  keep: outcomeInstead,
  done: (peck, form) => {
    const decided = { kind: 'approved' } as const
    if (isTestRequest(peck.action)) {
      const message = m.decision_approved_test()
      return { message, data: { status: 'approved', decided, message, isOwn: true, hasReceipt: true } }
    }
    const message = hasPasskey(form)
      ? m.decision_approved_and_signed_with_your_passkey()
      : m.decision_approved()
    return {
      message,
      data: { status: 'approved', decided, message, isOwn: true, hasReceipt: true, undoSeconds },
    }
  },
})

/** Undoes an approval that was just given: the request waits again. Says when it does not, because the permission had been used. */
export const undoApproval = formAction<Undo, Outcome>({
  call: 'POST /beak/peck/undo',
  input: (form) => ({ peck_id: field(form, 'peck_id') }),
  page,
  changes: pagesWithPecks,
  refusal: withUndone,
  keep: (problem) => (isConflict(problem) ? undone(withUndone(problem).detail) : undefined),
  done: ({ uses, superseded_by: supersededBy }) => {
    if (supersededBy === undefined) {
      const message = undoneMessage(uses)
      return { message, data: undone(message) }
    }
    const { message } = reopened
    return { message, data: { ...undone(message), supersededBy } }
  },
})

const undone = (message: string): Outcome => ({ status: 'undone', message, isOwn: true })

/** Takes back a rejection while the service still keeps it. */
export const undoRejection = formAction<Undo, Outcome>({
  call: 'POST /beak/peck/undo',
  input: (form) => ({ peck_id: field(form, 'peck_id') }),
  page,
  changes: pagesWithPecks,
  refusal: (problem) => {
    const outcome = notUndone(problem)
    return outcome === undefined ? problem : { ...problem, detail: outcome.message }
  },
  keep: notUndone,
  done: () => ({ message: reopened.message, data: reopened }),
})

const reopened: Outcome = {
  status: 'reopened',
  get message() {
    return m.decision_undo_done()
  },
  isOwn: true,
}

/** Returns what became of a rejection that could not be taken back. Undefined when trying again may help. */
function notUndone(problem: Problem): Outcome | undefined {
  if (hasNothingToUndo(problem)) return reopened
  if (problem.current_status === 'rejected')
    return { status: 'rejected', message: m.decision_too_late(), isOwn: true }
  return outcomeInstead(problem)
}

/** Puts the answer off, or brings the request back. */
export const snoozePeck = formAction<Snooze, Outcome>({
  call: 'POST /beak/peck/snooze',
  input: (form) => ({ peck_id: field(form, 'peck_id'), until: field(form, 'until') || null }),
  page,
  changes: pagesWithPecks,
  refusal: withOutcome,
  keep: outcomeInstead,
  done: async ({ snoozed_until: until }) => {
    if (until === undefined) {
      const message = m.decision_request_is_back_in_inbox()
      return { message, data: { status: 'reopened', message, isOwn: true } }
    }
    const message = m.decision_later_it_comes_back_until({ until: inZone(until, await ownZone()) })
    return { message, data: { status: 'snoozed', decided: { kind: 'snoozed' }, message, isOwn: true } }
  },
})

const endedMessages: Record<string, string> = {
  consumed: undoneMessage(1),
  get revoked() {
    return m.decision_the_permission_is_already_revoked()
  },
  get expired() {
    return m.decision_the_permission_has_already_expired()
  },
}

/** Replaces the text of a refusal by what happened to the permission. Only a permission for one use ends by its use. */
function withUndone(problem: Problem): Problem {
  if (hasNothingToUndo(problem)) return { ...problem, detail: m.decision_undo_too_late() }
  return { ...problem, detail: endedMessages[problem.current_status ?? ''] ?? problem.detail }
}

/** The reason that the person wrote or picked, the default one of what the person would approve, or an empty text. */
const reasonIn = (form: FormData) =>
  field(form, 'reason') || termsReason(fieldsOf(form)) || field(form, 'quick')

const termsIn = (form: FormData) => rejectionTerms(fieldsOf(form))

const fieldsOf = (form: FormData) => (name: string) => field(form, name)

/**
 * Returns what is wrong with a rejection, as far as that follows from its fields, or null. Asked before the person leaves for the approver,
 * because the page that takes the signature has no fields to correct.
 */
export async function rejectionFault(fields: Record<string, string>): Promise<string | null> {
  const read = (name: string) => String(fields[name] ?? '')
  const { would_approve: terms } = rejectionTerms(read)
  if ((read('reason') || termsReason(read) || read('quick')) === '') return m.decision_reject_reason_missing()
  const wrong = terms === undefined ? undefined : WouldApprove.safeParse(terms).error
  if (wrong === undefined) return null
  return wrong.issues.some(({ path }) => path[0] === 'max_amount')
    ? m.decision_write_decimal_amount()
    : m.decision_counter_offer_missing()
}

/** Rejects with the written reason, or else the selected one. Also blocks the requester if the viewer ticked that. */
export const rejectPeck = formAction<Reject, Outcome>({
  call: 'POST /beak/peck/reject',
  input: (form) => ({
    peck_id: field(form, 'peck_id'),
    reason: reasonIn(form),
    ...termsIn(form),
    ...(hasPasskey(form) ? { passkey: jsonField(form, 'passkey') as BodyOf<Reject>['passkey'] } : {}),
    // A block confirms the rejection, and so does a passkey.
    undo_seconds: form.has('block') || hasPasskey(form) ? 0 : undoSeconds,
  }),
  page,
  changes: pagesWithPecks,
  refusal: (problem, form) => {
    const worded = withTermsErrors(reasonIn(form) === '' ? withReasonHint(problem) : problem)
    return withOutcome(hasPasskey(form) ? withoutFields(worded) : worded)
  },
  keep: outcomeInstead,
  done: async (peck, form) => {
    const message = hasPasskey(form)
      ? m.decision_rejected_and_signed_with_your_passkey()
      : m.decision_rejected()
    if (form.has('block')) return blockRequester(peck, message)
    return rejected({ kind: 'rejected' }, message, hasPasskey(form) ? 0 : undoSeconds)
  },
})

/** Says in the text of a refusal what else stands beside a field: a signed rejection comes from a page without fields. */
function withoutFields({ errors = [], ...problem }: Problem): Problem {
  const wrong = errors.find(({ field: name }) => name.startsWith('less_'))
  if (wrong === undefined) return problem
  return { ...problem, detail: m.decision_counter_offer_error({ message: wrong.message }) }
}

/** Unblocks the person whom a rejection has just blocked. The rejection stays. */
export const undoBlock = formAction<Unblock, Outcome>({
  call: 'POST /beak/peck/unblock',
  input: (form) => ({ duckling_id: field(form, 'duckling_id') }),
  page,
  changes: pagesWithPecks,
  done: ({ restored_pecks: restored = 0 }) => rejected({ kind: 'unblocked' }, unblockedWords(restored)),
})

const rejected = (decided: Decided, message: string, seconds = 0) => ({
  message,
  data: { status: 'rejected', decided, message, isOwn: true, undoSeconds: seconds } satisfies Outcome,
})

async function blockRequester({ requester }: Peck, message: string) {
  const { duckling_id: id } = requester
  const name = isolated(personName(requester))
  const blocked = await api('POST /beak/peck/block', { body: { duckling_id: id } })
  if (!blocked.ok)
    return rejected(
      { kind: 'block_failed' },
      keptText(m.decision_rejected_but_name_isnt_blocked_problem, {
        name,
        problem: explain(blocked.problem),
      }),
    )
  const words = [
    message,
    keptText(m.decision_name_is_blocked, { name }),
    hiddenWords(blocked.data.hidden_pecks ?? 0),
  ].join(' ')
  return rejected({ kind: 'blocked', duckling: { id, name } }, words.trimEnd())
}

/** Replaces the text of a refusal by what happened to the request, when it is no longer pending. */
function withOutcome(problem: Problem): Problem {
  if (problem.current_status === undefined) return problem
  return { ...problem, detail: outcomeElsewhere(problem.current_status).message }
}

function outcomeInstead({ current_status: status }: Problem): Outcome | undefined {
  return status === undefined ? undefined : { ...outcomeElsewhere(status), isOwn: true }
}

/** Keeps the form from confirming the session with a passkey: an approval needs a signature over the request itself. */
function withoutProof({ required, ...problem }: Problem): Problem {
  return required === 'passkey' || required === undefined ? problem : { ...problem, required }
}

/** Says beside the field how to give the reason that is missing. */
function withReasonHint(problem: Problem): Problem {
  const errors = problem.errors?.map((error) =>
    error.field === 'reason' ? { ...error, message: m.decision_reject_reason_missing() } : error,
  )
  return errors ? { ...problem, errors } : problem
}
