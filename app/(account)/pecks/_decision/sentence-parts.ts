/** Splits the sentence after the action. No action has a comma. Only for the target the profile is "yours". */
export function sentenceParts(sentence: string, isTarget: boolean): { action: string; extent: string } {
  const comma = sentence.indexOf(',')
  const action = sentence.slice(0, comma)
  return {
    action: isTarget ? action : action.replace(/^read your profile$/, 'read the profile'),
    extent: sentence.slice(comma),
  }
}
