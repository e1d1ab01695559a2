import { rowId } from './request-row'

/** Moves the focus to the row of a request. Returns whether the row is shown: a narrow screen shows the list or a request. */
export function focusRow(id: string): boolean {
  const row = document.getElementById(rowId(id))
  if (row === null || !row.checkVisibility()) return false
  row.focus({ preventScroll: true })
  row.scrollIntoView({ block: 'nearest' })
  return true
}

/** Moves the focus to the selected request, and shows its beginning. */
export function focusPane(pane: HTMLElement | null): void {
  pane?.focus({ preventScroll: true })
  pane?.scrollIntoView({ block: 'start' })
}
