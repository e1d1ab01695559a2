/** Where Undo appears when the decision that is being sent has arrived. */
const button = () => document.querySelector<HTMLElement>('[data-undo]')

const checkMilliseconds = 50
/** A decision that takes longer has failed, or says so itself. */
const waitMilliseconds = 10_000

/** Presses Undo. While a decision is being sent, the key is meant for that decision: presses the Undo that the decision brings. */
export function pressUndo(isSending: () => boolean): void {
  const before = button()
  if (!isSending()) {
    before?.click()
    return
  }
  const end = performance.now() + waitMilliseconds
  const timer = setInterval(() => {
    const found = button()
    const isThere = found !== null && found !== before && !isSending()
    if (isThere || performance.now() > end) clearInterval(timer)
    if (isThere) found.click()
  }, checkMilliseconds)
}
