/** What a form dispatches when typed values come back: for fields that may not be there yet. `detail`: the values. */
export const restoredEvent = 'beak:restored'

/** Puts typed values back into the fields of a form. Fields that are not in `data` are cleared only when they are boxes. */
export function restoreFields(form: HTMLFormElement, data: FormData): void {
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
