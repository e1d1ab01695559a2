/**
 * Keeps what people type, and what password managers fill in, before the page can be used. When another program has added elements by then,
 * React replaces the whole page by a new one, with empty fields (React error 418).
 */

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

interface Kept {
  field: Field
  /** Where its successor is: which form, and the how manieth field of that name. */
  form: number
  index: number
}

const selector = 'input:not([type=hidden], [type=file]), textarea, select'
const events = ['focusin', 'input', 'change']
const kept = new Map<Element, Kept>()
let focused: Element | null = null

const isBox = (field: Field): field is HTMLInputElement => ['checkbox', 'radio'].includes(field.type)

const formOf = ({ form }: Field) => (form === null ? -1 : [...document.forms].indexOf(form))

/** Returns the fields that only their order tells apart. */
const alike = (field: Field, form: number) =>
  [...document.querySelectorAll<Field>(selector)].filter(
    (other) => other.name === field.name && other.type === field.type && formOf(other) === form,
  )

function isTyped(field: Field): boolean {
  if (field instanceof HTMLSelectElement)
    return [...field.options].some((option) => option.selected !== option.defaultSelected)
  return isBox(field) ? field.checked !== field.defaultChecked : field.value !== field.defaultValue
}

function keep(target: EventTarget | null): void {
  if (!(target instanceof Element && target.matches(selector))) return
  const field = target as Field
  const form = formOf(field)
  kept.set(field, { field, form, index: alike(field, form).indexOf(field) })
}

function onEvent({ type, target }: Event): void {
  // A focused field sends `change` when it is removed.
  if (type === 'focusin') focused = document.activeElement
  keep(target)
}

/** Begins to keep. Also keeps what was typed until now. */
export function keepTypedFields(): void {
  for (const field of document.querySelectorAll<Field>(selector)) if (isTyped(field)) keep(field)
  focused = document.activeElement
  keep(focused)
  for (const event of events) document.addEventListener(event, onEvent, true)
}

/** Ends to keep: the page can be used. Gives the values and the focus to the fields that replaced those of the server. */
export function giveBackTypedFields(): void {
  for (const event of events) document.removeEventListener(event, onEvent, true)
  for (const { field, form, index } of kept.values()) {
    const next = field.isConnected ? undefined : alike(field, form)[index]
    if (next === undefined) continue
    giveValue(field, next)
    if (field === focused && document.activeElement === document.body) next.focus()
  }
  kept.clear()
}

/** Changes a field as a person does, so that React takes notice. */
function giveValue(from: Field, to: Field): void {
  if (isBox(from) && isBox(to)) {
    if (from.checked !== to.checked) to.click()
  } else if (from.value !== to.value) {
    // React watches the property of the element itself, and takes a value that it saw there for its own.
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(to), 'value')?.set?.call(to, from.value)
    to.dispatchEvent(new Event(to instanceof HTMLSelectElement ? 'change' : 'input', { bubbles: true }))
  }
}
