const shownMax = 280
/** A fold that hides less than this is more work to open than to read. */
const hiddenMin = 80

/** Returns the start of a long text and the number of characters after it. Zero: the whole text is shown. */
export function foldText(text: string): { start: string; hidden: number } {
  const characters = Array.from(text)
  const hidden = characters.length - shownMax
  if (hidden < hiddenMin) return { start: text, hidden: 0 }
  return { start: characters.slice(0, shownMax).join(''), hidden }
}
