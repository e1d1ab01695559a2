/** Opens every fold around an element, so that people see it. */
export function openFolds(element: Element | null): void {
  for (let fold = element?.closest('details'); fold; fold = fold.parentElement?.closest('details'))
    fold.open = true
}
