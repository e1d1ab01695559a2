/** Splits a signed sentence after the action. No action has a comma. */
export function sentenceParts(sentence: string): { action: string; extent: string } {
  const comma = sentence.indexOf(',')
  return { action: sentence.slice(0, comma), extent: sentence.slice(comma) }
}
