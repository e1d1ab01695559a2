/** Characters in names that mislead a reader: invisible ones, and letters of several alphabets in one word (contract F, Names). */
import { emojiJoiner } from './visible'

/** Scripts in which a joiner changes how letters are written. */
const joinedScripts = 'Arab Syrc Mong Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Khmr Mymr Tibt'
  .split(' ')
  .map((script) => `\\p{scx=${script}}`)
  .join('')
const scriptJoiner = `(?<=[${joinedScripts}]\\p{M}*)[\\u200c\\u200d](?=[${joinedScripts}])`
/** Asks for the coloured form of an emoji, or belongs to a keycap. */
const emojiStyle = '(?:(?<=\\p{Extended_Pictographic})\\ufe0f|(?<=[0-9#*])\\ufe0f(?=\\u20e3))'

const invisible = new RegExp(
  `(?!${emojiJoiner})(?!${scriptJoiner})(?!${emojiStyle})[\\p{Default_Ignorable_Code_Point}\\p{Cc}\\p{Cf}\\p{Co}\\p{Zl}\\p{Zp}\\u2800]`,
  'u',
)

/** Whether a name has a character that nobody sees. Joiners count only where they change nothing that is seen. */
export function hasInvisible(name: string): boolean {
  return invisible.test(name)
}

/** Alphabets whose letters look like those of another one of them. Each word has letters of one only. */
const similarScripts = [
  'Latn',
  'Cyrl',
  'Grek',
  'Armn',
  'Geor',
  'Copt',
  'Cher',
  'Lisu',
  'Cans',
  'Dsrt',
  'Osge',
]
const shared = '\\p{sc=Common}\\p{sc=Inherited}'
/** Japanese, Chinese and Korean write Latin letters within a word. */
const besideLatin = '\\p{scx=Hani}\\p{scx=Hira}\\p{scx=Kana}\\p{scx=Bopo}\\p{scx=Hang}'

const oneAlphabet = new RegExp(
  `^(?:${[
    ...similarScripts.map(
      (script) => `[${shared}\\p{scx=${script}}${script === 'Latn' ? besideLatin : ''}]*`,
    ),
    `[^${similarScripts.map((script) => `\\p{sc=${script}}`).join('')}]*`,
  ].join('|')})$`,
  'u',
)

/** Whether a word of a name has letters of several alphabets, such as a Cyrillic "а" among Latin letters. */
export function mixesAlphabets(name: string): boolean {
  return (name.match(/[\p{L}\p{M}\p{N}\p{Default_Ignorable_Code_Point}]+/gu) ?? []).some(
    (word) => !oneAlphabet.test(word),
  )
}
