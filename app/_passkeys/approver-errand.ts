/**
 * The way to an approver and back (docs/approver.md). What this tab has asked for is kept in its own storage until the answer comes, so that no
 * other tab and no other site can bring an answer.
 */
import type { ApproverAnswer, ApproverMessage } from '@/packages/approver/messages'

/** Loaded only on the way, because the schemas of the messages weigh as much as a page. */
const load = () => import('@/packages/approver/messages')

const storageKey = 'beak:approver'

/** What the answer will be used for, and nothing else. */
export interface Errand {
  state: string
  /** The session storage of a tab survives a sign-out, so the errand names its account. */
  viewer: string
  purpose: 'enrol' | 'approve' | 'reject'
  /** The path of the page that takes the answer: the page of one request, or the page of the settings. */
  path: string
  /** Fields for the form that takes the answer. */
  fields: Record<string, string>
}

type Unsent<M> = M extends ApproverMessage ? Omit<M, 'state' | 'version'> : never

/** Leaves this page for the approver. `viewer`: the id of the account. */
export async function goToApprover(
  origin: string,
  message: Unsent<ApproverMessage>,
  errand: Omit<Errand, 'state' | 'path'>,
): Promise<void> {
  const { messageAddress } = await load()
  const state = newState()
  const path = new URL(message.return).pathname
  sessionStorage.setItem(storageKey, JSON.stringify({ ...errand, state, path } satisfies Errand))
  window.location.assign(messageAddress(origin, { ...message, version: 1, state }))
}

function newState(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(24))
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
}

/** What came back: an answer to what this tab asked for, or why there is none. */
export type Return =
  | { kind: 'answered'; answer: Exclude<ApproverAnswer, { type: 'cancelled' }>; errand: Errand }
  | { kind: 'cancelled' }
  | { kind: 'unknown' }

const answerTypes = { enrol: 'enrolled', approve: 'decided', reject: 'decided' } as const

/** Takes the answer out of the address, once. A reload finds nothing. Call it after the router has taken over the history of the tab. */
export async function takeReturn(viewer: string): Promise<Return> {
  const fragment = window.location.hash
  window.history.replaceState(null, '', window.location.pathname)
  if (fragment === '') return { kind: 'unknown' }
  const { readAnswer } = await load()
  const answer = readAnswer(fragment)
  const errand = storedErrand()
  if (answer === null || errand === null || errand.state !== answer.state) return { kind: 'unknown' }
  if (errand.viewer !== viewer || errand.path !== window.location.pathname) return { kind: 'unknown' }
  sessionStorage.removeItem(storageKey)
  if (answer.type === 'cancelled') return { kind: 'cancelled' }
  return answer.type === answerTypes[errand.purpose]
    ? { kind: 'answered', answer, errand }
    : { kind: 'unknown' }
}

function storedErrand(): Errand | null {
  try {
    return JSON.parse(sessionStorage.getItem(storageKey) ?? 'null') as Errand | null
  } catch {
    return null
  }
}
