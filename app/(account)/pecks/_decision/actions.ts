'use server'

import { api } from '@/app/_web/api'
import { explain } from '@/app/_web/form'
import { formAction } from '@/app/_web/form-action'
import { isConflict, type Problem } from '@/app/_web/problem'
import type { BodyOf } from '@/app/beak/_api/lines'
import { field } from '@/components/ui/form-state'
import { hiddenWords, unblockedWords } from '../_forms/outcome-words'
import { jsonField } from '../_peck/json-field'
import { pagesWithPecks } from '../_peck/pages'
import type { Peck } from '../_peck/reads'
import { notNow } from './not-now'
import { type Decided, type Outcome, outcomeElsewhere, undoneMessage, undoSeconds } from './outcome'

type Approve = 'POST /beak/peck/approve'
type Reject = 'POST /beak/peck/reject'
type Revoke = 'POST /beak/peck/revoke'
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
  done: (_, form) => {
    const message = hasPasskey(form) ? 'Approved and signed with your passkey.' : 'Approved.'
    const decided = { kind: 'approved' } as const
    return {
      message,
      data: { status: 'approved', decided, message, isOwn: true, hasReceipt: true, undoSeconds },
    }
  },
})

/** Revokes the permission of an approval that was just given. Says whether it had been used. */
export const undoApproval = formAction<Revoke, Outcome>({
  call: 'POST /beak/peck/revoke',
  input: (form) => ({ peck_id: field(form, 'peck_id') }),
  page,
  changes: pagesWithPecks,
  refusal: withUndone,
  keep: (problem) => (isConflict(problem) ? undone(withUndone(problem).detail) : undefined),
  done: ({ uses }) => {
    const message = undoneMessage(uses)
    return { message, data: undone(message) }
  },
})

const undone = (message: string): Outcome => ({ status: 'undone', message, isOwn: true })

const endedMessages: Record<string, string> = {
  consumed: undoneMessage(1),
  revoked: 'The permission is already revoked.',
  expired: 'The permission has already expired.',
}

/** Replaces the text of a refusal by what happened to the permission. Only a permission for one use ends by its use. */
function withUndone(problem: Problem): Problem {
  return { ...problem, detail: endedMessages[problem.current_status ?? ''] ?? problem.detail }
}

/** Rejects with the written reason, or else the selected one. Also blocks the requester if the viewer ticked that. */
/** The reason that the person wrote or picked, or an empty text. */
const reasonIn = (form: FormData) => field(form, 'reason') || field(form, 'quick')

export const rejectPeck = formAction<Reject, Outcome>({
  call: 'POST /beak/peck/reject',
  input: (form) => ({
    peck_id: field(form, 'peck_id'),
    reason: reasonIn(form),
  }),
  page,
  changes: pagesWithPecks,
  refusal: (problem, form) => withOutcome(reasonIn(form) === '' ? withReasonHint(problem) : problem),
  keep: outcomeInstead,
  done: async (peck, form) => {
    if (form.has('block')) return blockRequester(peck)
    return peck.reason === notNow
      ? rejected({ kind: 'not_now' }, 'You answered “Not now”.')
      : rejected({ kind: 'rejected' }, 'Rejected.')
  },
})

/** Unblocks the person whom a rejection has just blocked. The rejection stays. */
export const undoBlock = formAction<Unblock, Outcome>({
  call: 'POST /beak/peck/unblock',
  input: (form) => ({ duckling_id: field(form, 'duckling_id') }),
  page,
  changes: pagesWithPecks,
  done: ({ restored_pecks: restored = 0 }) => rejected({ kind: 'unblocked' }, unblockedWords(restored)),
})

const rejected = (decided: Decided, message: string) => ({
  message,
  data: { status: 'rejected', decided, message, isOwn: true } satisfies Outcome,
})

async function blockRequester({ requester }: Peck) {
  const { duckling_id: id, display_name: name } = requester
  const blocked = await api('POST /beak/peck/block', { body: { duckling_id: id } })
  if (!blocked.ok)
    return rejected(
      { kind: 'block_failed' },
      `Rejected, but ${name} isn't blocked: ${explain(blocked.problem)}`,
    )
  const message = ['Rejected.', `${name} is blocked.`, hiddenWords(blocked.data.hidden_pecks ?? 0)].join(' ')
  return rejected({ kind: 'blocked', duckling: { id, name } }, message.trimEnd())
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
    error.field === 'reason' ? { ...error, message: 'Pick a reason or write your own.' } : error,
  )
  return errors ? { ...problem, errors } : problem
}
