/**
 * Keeps what a person typed into a form when the session had ended, until the person has signed in again. In three steps, all in the
 * session storage of the tab: each submission is stored as `sent`. When the action leads to the sign-in, the address there names the
 * submission, which becomes `kept`. Back at the form, its fields get the values. So a form that was sent is never restored. What was not
 * sent yet is kept as well when the page is replaced although the person did not leave it. A form for people without an account is kept
 * whenever its page goes away.
 */

import { readClock } from '@/lib/kernel/runtime/clock'
import { typedEntries } from './form-state'
import { restoreFields } from './restore-fields'

const [sentKey, keptKey] = ['beak.draft.sent', 'beak.draft.kept']
const maxCharacters = 100_000
const lifetimeMs = 60 * 60_000
/** Only a redirect leads from a form to the sign-in so fast. */
const leftLifetimeMs = 10_000

/** Why a draft was not sent. `uncertain`: it was sent, and no answer came. */
export type DraftReason = 'signed_out' | 'unsent' | 'uncertain'

interface Draft {
  reason: DraftReason
  id: string
  /** Which form it was, and who was signed in. Empty: nobody. */
  form: string
  viewer: string
  /** When it was sent, in milliseconds. */
  at: number
  entries: [name: string, value: string][]
}

/** Stores what is typed into a form that is about to be sent, and returns the number of the submission. Empty when nothing was stored. */
export function storeDraft(form: HTMLFormElement): string {
  const draft = draftOf(form, 'signed_out', viewerId())
  return draft !== null && write(sentKey, draft) ? draft.id : ''
}

/** Keeps what is typed into a form whose page is being replaced. `viewer`: who was signed in when the form was shown. */
export function keepUnsent(
  form: HTMLFormElement,
  reason: 'unsent' | 'uncertain',
  viewer: string | null,
): void {
  const draft = draftOf(form, reason, viewer)
  if (draft !== null) write(keptKey, draft)
}

function draftOf(form: HTMLFormElement, reason: DraftReason, viewer: string | null): Draft | null {
  if (viewer === null) return null
  const fixed = new Set(hiddenFields(form).map(({ name }) => name))
  const entries = typedEntries(new FormData(form)).filter(([name]) => !fixed.has(name))
  if (entries.every(([, value]) => value === '')) return null
  const id = String(Math.random()).slice(2)
  return { id, reason, form: nameOf(form), viewer, at: readClock().getTime(), entries }
}

/** Removes the kept draft of a form that is about to be sent. */
export function dropKept(form: HTMLFormElement): void {
  if (read(keptKey)?.form === nameOf(form)) write(keptKey, null)
}

/** Removes the draft of a submission that was answered. */
export function dropDraft(): void {
  write(sentKey, null)
}

/** What was typed into the form that has just left the page. */
let left: Draft | null = null

/** Remembers what is typed into a form that leaves the page before it was sent. Only the sign-in page keeps it. */
export function rememberLeft(
  form: HTMLFormElement,
  reason: 'unsent' | 'uncertain',
  viewer: string | null,
): void {
  left = draftOf(form, reason, viewer)
}

/** On the sign-in page: keeps the draft of the submission that found no session, or of a form that a refresh without a session removed. */
export function keepDraft(id: string): void {
  const sent = read(sentKey)
  const isFresh = left !== null && readClock().getTime() - left.at < leftLifetimeMs
  const found = id !== '' && sent?.id === id ? sent : isFresh ? left : null
  left = null
  if (found === null) return
  write(keptKey, found)
  if (found === sent) write(sentKey, null)
}

/** Puts a kept draft into its form and forgets the draft. Returns why it was not sent, or null when there is none. */
export function restoreDraft(form: HTMLFormElement): DraftReason | null {
  const draft = read(keptKey)
  if (draft === null || draft.form !== nameOf(form)) return null
  write(keptKey, null)
  if (draft.viewer !== (viewerId() ?? '') || readClock().getTime() - draft.at > lifetimeMs) return null
  const data = new FormData()
  for (const [name, value] of draft.entries) data.append(name, value)
  restoreFields(form, data)
  const around = form.closest('details')
  if (around) around.open = true
  return draft.reason
}

/** A page may have several forms of one kind, one for each item. They differ in their hidden fields. */
function nameOf(form: HTMLFormElement): string {
  const fixed = hiddenFields(form).map(({ name, value }) => `${name}=${value}`)
  return [form.getAttribute('aria-label') ?? '', ...fixed].join('\n')
}

function hiddenFields(form: HTMLFormElement): HTMLInputElement[] {
  return [...form.querySelectorAll<HTMLInputElement>('input[type=hidden]:not([name^="$"])')]
}

/** Returns the id of the person who is signed in, from the header of the page. */
export function viewerId(): string | null {
  return document.querySelector('header[data-viewer]')?.getAttribute('data-viewer') ?? null
}

function read(key: string): Draft | null {
  try {
    return JSON.parse(window.sessionStorage.getItem(key) ?? 'null') as Draft | null
  } catch {
    return null
  }
}

/** Returns false when the browser stores nothing, or the draft is too long. */
function write(key: string, draft: Draft | null): boolean {
  try {
    const text = JSON.stringify(draft)
    if (draft === null || text.length > maxCharacters) window.sessionStorage.removeItem(key)
    else window.sessionStorage.setItem(key, text)
    return text.length <= maxCharacters
  } catch {
    return false
  }
}
