import { openFolds } from './open-folds'

/** What a form dispatches when typed values come back: for fields that may not be there yet. `detail`: the values. */
export const restoredEvent = 'beak:restored'

/** Puts typed values back into the fields of a form. Fields that are not in `data` are cleared only when they are boxes. */
export function restoreFields(form: HTMLFormElement, data: FormData): void {
  openFolds(form)
  form.dispatchEvent(new CustomEvent(restoredEvent, { detail: data }))
  for (const field of form.elements) {
    if (field instanceof HTMLInputElement && ['checkbox', 'radio'].includes(field.type))
      field.checked = data.getAll(field.name).includes(field.value)
    else if (
      field instanceof HTMLInputElement ||
      field instanceof HTMLTextAreaElement ||
      field instanceof HTMLSelectElement
    ) {
      const value = data.get(field.name)
      if (typeof value === 'string') field.value = value
    }
  }
}

/** Returns a new key for a submission, by which the service counts a repeated submission once. Works on pages without https, too. */
export function newSubmissionKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
}

/** Submits a form with the button that submitted it before, which may stand outside of the form (its `form` attribute). */
export function submitAgain(form: HTMLFormElement, submitter: HTMLElement | null): void {
  const isButton = submitter instanceof HTMLButtonElement || submitter instanceof HTMLInputElement
  form.requestSubmit(isButton && submitter.form === form ? submitter : null)
}
