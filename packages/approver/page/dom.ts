/** Makes elements. Every text goes in as a text, never as HTML. */
import { markedParts } from '@beak/decision/marked-parts'

export type Child = Node | string | null | undefined

/** Elements with texts of other people, ids and code. A translator must not change what a passkey signs. */
const untranslated = new Set(['bdi', 'code', 'pre'])

/** Returns an element. Children that are null or undefined are left out. */
export function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Record<string, string> = {},
  ...children: Child[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name)
  if (untranslated.has(name)) element.translate = false
  for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, value)
  element.append(...children.filter((child) => child !== null && child !== undefined))
  return element
}

/**
 * Returns a text that the service or the requester chose, isolated from the text around it. Hidden characters are shown by their numbers, and
 * letters outside of ASCII in addresses are marked. `isAddress`: the whole text is an address or an id.
 */
export function foreign(text: string, isAddress = false): HTMLElement {
  return make(
    'bdi',
    {},
    ...markedParts(text, isAddress).map((part) => (part.isMarked ? make('mark', {}, part.text) : part.text)),
  )
}

/** Returns an id or a name as code. */
export const code = (text: string): HTMLElement => make('code', {}, foreign(text, true))

/** Returns a list of names with values. Rows that are null are left out. */
export function facts(...rows: ([name: Child, ...value: Child[]] | null)[]): HTMLElement {
  return make(
    'dl',
    { class: 'facts' },
    ...rows
      .filter((row) => row !== null)
      .map(([name, ...value]) => make('div', {}, make('dt', {}, name), make('dd', {}, ...value))),
  )
}

/** Returns a section that its heading names. */
export function section(id: string, title: string, ...children: Child[]): HTMLElement {
  return make('section', { 'aria-labelledby': id }, make('h2', { id }, title), ...children)
}

/** How serious a note is: a fault, a warning, or information. */
type NoteKind = 'bad' | 'warn' | 'plain'

export function note(kind: NoteKind, title: string, ...children: Child[]): HTMLElement {
  return make('div', { class: `note ${kind}` }, make('p', { class: 'note-title' }, title), ...children)
}

export function button(
  kind: 'primary' | 'plain' | 'danger' | 'reject',
  ...children: Child[]
): HTMLButtonElement {
  return make('button', { type: 'button', class: kind }, ...children)
}

/** Shows a new page state: moves the focus to its heading, so that screen readers begin there. */
export function show(title: string, ...children: Child[]): void {
  const heading = make('h1', { tabindex: '-1' }, title)
  document.title = `${title} – Approver`
  main().replaceChildren(heading, ...children.filter((child) => child !== null && child !== undefined))
  window.scrollTo(0, 0)
  heading.focus({ preventScroll: true })
}

function main(): HTMLElement {
  const element = document.getElementById('main')
  if (element === null) throw new Error('the page has no main element')
  return element
}

/** The time zone of this device. */
const zone = () => Intl.DateTimeFormat().resolvedOptions().timeZone

/** Returns a time with its words. */
export function time(at: string, words: (at: string, zone: string) => string): HTMLElement {
  return make('time', { datetime: at }, words(at, zone()))
}
