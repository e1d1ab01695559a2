/** What an error page says about the last change of its tab. It reads the state of the requests that the change was about. */
import { withBasePath } from '@/components/base-path'
import { type ChangeResult, type LastChange, lastChange } from '@/components/connection/last-change'
import { m } from '@/lib/kernel/messages'

/** `title`: replaces the title of the error. `href`: the page of the request. */
export interface ChangeWords {
  title?: string
  text: string
  href?: string
}

interface PeckState {
  peck: { peck_id: string; status: string; grant_status: string | null; undo_until?: string }
}

const texts: Record<ChangeResult, () => string> = {
  sending: m.problem_change_sending,
  answered: m.problem_change_answered,
  saved: m.problem_change_saved,
  not_saved: m.problem_change_not_saved,
  not_sent: m.problem_nothing_was_sent,
  no_answer: m.problem_change_no_answer,
}

/** What is known at once. */
export function firstWords(): ChangeWords {
  const change = lastChange()
  if (change === null) return { text: m.problem_page_not_shown_body() }
  return { text: isOfRequests(change) ? m.problem_change_sending() : texts[change.result]() }
}

/** Returns what came of the last change, when there is something to wait for. */
export async function readWords(): Promise<ChangeWords> {
  const change = lastChange()
  if (change === null) return firstWords()
  await change.ended
  return (isOfRequests(change) ? await wordsOfRequests(change) : null) ?? { text: texts[change.result]() }
}

/** A person who has gone to another page since does not think of the requests any more. */
const isOfRequests = ({ peckIds, path }: LastChange) =>
  peckIds.length > 0 && path === window.location.pathname

/** Returns what is true of the requests now, or null when the service does not say. */
async function wordsOfRequests({ peckIds }: LastChange): Promise<ChangeWords | null> {
  const query = new URLSearchParams({ peck_ids: peckIds.join() })
  const answer = await fetch(withBasePath(`/api/pecks/requests?${query}`), { cache: 'no-store' }).catch(
    () => null,
  )
  if (!answer?.ok) return null
  const { items } = (await answer.json()) as { items: PeckState[] }
  const [first] = items
  if (first === undefined) return null
  if (items.length === 1) return wordsOfOne(first)
  const count = (state: string) => items.filter((item) => stateOf(item) === state).length
  const [approved, rejected, waiting] = [count('approved'), count('rejected'), count('pending')]
  return {
    text: m.problem_requests_now({
      approved,
      rejected,
      waiting,
      ended: items.length - approved - rejected - waiting,
    }),
  }
}

/** A rejection that can be undone is still pending for the service, and an approval that was undone is still approved. */
function stateOf({ peck: { status, grant_status, undo_until } }: PeckState): string {
  if (undo_until !== undefined) return 'rejected'
  return grant_status === 'revoked' ? 'revoked' : status
}

function wordsOfOne(state: PeckState): ChangeWords {
  const { peck_id, undo_until } = state.peck
  const href = withBasePath(`/pecks/${peck_id}`)
  switch (stateOf(state)) {
    case 'approved':
      return { title: m.problem_request_was_approved(), text: m.problem_request_only_page_failed(), href }
    case 'rejected': {
      const text =
        undo_until === undefined ? m.problem_request_only_page_failed() : m.problem_request_can_be_undone()
      return { title: m.problem_request_was_rejected(), text, href }
    }
    case 'revoked':
      return {
        title: m.problem_permission_was_revoked(),
        text: m.problem_permission_was_revoked_text(),
        href,
      }
    case 'pending':
      return { title: m.problem_request_waits(), text: m.problem_request_waits_text(), href }
    default:
      return { title: m.problem_request_ended(), text: m.problem_request_ended_text(), href }
  }
}
