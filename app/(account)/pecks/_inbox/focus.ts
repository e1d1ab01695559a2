import { rowId } from './request-row'

/** Moves the focus to the row of a request. Returns whether the row is shown: a narrow screen shows the list or a request. */
export function focusRow(id: string): boolean {
  const row = document.getElementById(rowId(id))
  const fold = row?.closest('details')
  if (fold) fold.open = true
  if (row === null || !row.checkVisibility()) return false
  row.focus({ preventScroll: true })
  showIn(row, row.closest('[data-scroll]'))
  return true
}

/** Scrolls the list only, so that the head of the page stays where it is. A narrow screen has no list of its own: it scrolls the page. */
function showIn(row: HTMLElement, list: Element | null): void {
  if (list === null || list.scrollHeight <= list.clientHeight) {
    row.scrollIntoView({ block: 'nearest' })
    return
  }
  const [place, area] = [row.getBoundingClientRect(), list.getBoundingClientRect()]
  const { scrollMarginTop, scrollMarginBottom } = getComputedStyle(row)
  const above = area.top + Number.parseFloat(scrollMarginTop) - place.top
  const below = place.bottom + Number.parseFloat(scrollMarginBottom) - area.bottom
  if (above > 0) list.scrollTop -= above
  else if (below > 0) list.scrollTop += below
}

/** Moves the focus to the selected request, and shows its beginning. */
export function focusPane(pane: HTMLElement | null): void {
  pane?.focus({ preventScroll: true })
  pane?.scrollIntoView({ block: 'start' })
}
