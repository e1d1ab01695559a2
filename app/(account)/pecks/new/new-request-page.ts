/** Returns the address of the page that asks a person. `to`: whom, or an empty text. */
export const newRequestPage = (to: string) =>
  to === '' ? '/pecks/new' : `/pecks/new?${new URLSearchParams({ to })}`
