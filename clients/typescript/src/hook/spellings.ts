/** The ways to write one command line that a shell reads alike, as far as patterns should not miss them. */

/**
 * Returns a text as it is, with single blanks and without continued lines, and without quotes and escapes as well. A pattern that matches one of them
 * concerns the command.
 */
export function spellingsOf(text: string): string[] {
  const joined = text.replace(/\\\r?\n/g, '')
  const blank = joined.replace(/\$\{?IFS\}?/g, ' ').replace(/\s+/g, ' ')
  return [...new Set([text, blank, blank.replace(/\$?["']|\\(?=\S)/g, '')])]
}
