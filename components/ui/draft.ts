/**
 * Keeps what a person typed into a form when the session had ended, until the person has signed in again. In three steps, all in the
 * session storage of the tab: each submission is stored as `sent`. When the action leads to the sign-in, the address there names the
 * submission, which becomes `kept`. Back at the form, its fields get the values. So a form that was sent is never restored.
 */

import { readClock } from '@/lib/kernel/clock'
import { typedEntries } from './form-state'
import { restoreFields } from './restore-fields'

const [sentKey, keptKey] = ['beak.draft.sent', 'beak.draft.kept']
const maxCharacters = 100_000
const lifetimeMs = 60 * 60_000

interface Draft {
  id: string
  /** Which form it was, and who was signed in. */
  form: string
  viewer: string
  /** When it was sent, in milliseconds. */
  at: number
  entries: [name: string, value: string][]
}

/** Stores what is typed into a form that is about to be sent, and returns the number of the submission. Empty when nothing was stored. */
export function storeDraft(form: HTMLFormElement): string {
  const viewer = viewerId()
  if (viewer === null) return ''
  const fixed = new Set(hiddenFields(form).map(({ name }) => name))
  const entries = typedEntries(new FormData(form)).filter(([name]) => !fixed.has(name))
  if (entries.every(([, value]) => value === '')) return ''
  const id = String(Math.random()).slice(2)
  const draft: Draft = { id, form: nameOf(form), viewer, at: readClock().getTime(), entries }
  return write(sentKey, draft) ? id : ''
}

/** Removes the draft of a submission that was answered. */
export function dropDraft(): void {
  write(sentKey, null)
}

/** Keeps the draft of the submission that found no session. */
export function keepDraft(id: string): void {
  const sent = read(sentKey)
  if (sent?.id !== id) return
  write(keptKey, sent)
  write(sentKey, null)
}

/** Puts a kept draft into its form and forgets the draft. Returns whether there was one. */
export function restoreDraft(form: HTMLFormElement): boolean {
  const draft = read(keptKey)
  if (draft === null || draft.form !== nameOf(form)) return false
  write(keptKey, null)
  if (draft.viewer !== viewerId() || readClock().getTime() - draft.at > lifetimeMs) return false
  const data = new FormData()
  for (const [name, value] of draft.entries) data.append(name, value)
  restoreFields(form, data)
  const around = form.closest('details')
  if (around) around.open = true
  return true
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
function viewerId(): string | null {
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
