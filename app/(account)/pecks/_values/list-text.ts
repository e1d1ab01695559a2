/** Returns a list of words or numbers, which arrives as JSON, with commas. Any other text is returned as it is. */
export function listText(text: string): string {
  if (!text.startsWith('[')) return text
  try {
    const items: unknown = JSON.parse(text)
    const isPlain = (item: unknown) => typeof item === 'number' || (typeof item === 'string' && item !== '')
    return Array.isArray(items) && items.length > 0 && items.every(isPlain) ? items.join(', ') : text
  } catch {
    // A text of the asker that only begins like a list.
    return text
  }
}
