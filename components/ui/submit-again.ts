/** Submits a form with the button that submitted it before, which may stand outside of the form (its `form` attribute). */
export function submitAgain(form: HTMLFormElement, submitter: HTMLElement | null): void {
  const isButton = submitter instanceof HTMLButtonElement || submitter instanceof HTMLInputElement
  form.requestSubmit(isButton && submitter.form === form ? submitter : null)
}
