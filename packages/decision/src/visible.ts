/** The joiner between two emoji that makes one picture of them: a family. */
export const emojiJoiner =
  '(?<=\\p{Extended_Pictographic}[\\ufe0f\\u{1f3fb}-\\u{1f3ff}]?)\\u200d(?=\\p{Extended_Pictographic})'
/**
 * A character that changes the direction of writing, takes no space or controls a terminal. Line ends, tabs and the joiner between emoji are
 * none.
 */
export const hiddenCharacter = new RegExp(
  `(?!${emojiJoiner})(?![\\n\\t])[\\p{Cc}\\p{Cf}\\p{Co}\\p{Cn}\\p{Zl}\\p{Zp}\\u115f\\u1160\\u3164\\uffa0]`,
  'u',
)

const everyHiddenCharacter = new RegExp(hiddenCharacter, 'gu')

/** Returns a text of another person with every hidden character made visible, because it could make it look like a different text. */
export function visible(text: string): string {
  return text.replace(
    everyHiddenCharacter,
    (character) => `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`,
  )
}
