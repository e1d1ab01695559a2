/** Characters in names that mislead a reader: invisible ones, and letters of several scripts in one word (contract F, Names). */
import { emojiJoiner } from '@beak/decision/visible'

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

/** Alphabets whose letters look like letters of another alphabet here. Each word has letters of one only. */
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

/** The scripts that people write today (Unicode UAX 31, recommended scripts and scripts of limited use). */
const livingScripts = (
  'Arab Armn Beng Bopo Cyrl Deva Ethi Geor Grek Gujr Guru Hang Hani Hebr Hira Kana Khmr Knda Laoo Latn Mlym Mymr Orya Sinh Taml Telu Thaa ' +
  'Thai Tibt Adlm Bali Batk Cakm Cans Cham Cher Hmnp Java Kali Lana Lepc Limb Lisu Mand Mtei Newa Nkoo Olck Osge Plrd Rohg Saur Sund Sylo ' +
  'Syrc Tale Talu Tavt Tfng Vaii Wcho Yiii Mong'
).split(' ')

/** The only scripts that may stand together in a word (Unicode UTS 39, highly restrictive). */
const scriptsTogether = ['Latn Hani Hira Kana', 'Latn Hani Bopo', 'Latn Hani Hang']

const oneScript = new RegExp(
  `^(?:${[...livingScripts, ...scriptsTogether]
    .map((scripts) => scripts.split(' ').map((script) => `\\p{scx=${script}}`))
    .map((classes) => `[\\p{scx=Zyyy}\\p{scx=Zinh}${classes.join('')}]*`)
    .join('|')})$`,
  'u',
)

/**
 * Whether a word of a person's name has letters of several scripts, or of a script that nobody writes today. A word ends only at a space,
 * so "O'Нeil" is one word. Stricter than `mixesAlphabets`, because agents are also called "GPT-помощник".
 */
export function mixesScripts(name: string): boolean {
  return name.split(' ').some((word) => !oneScript.test(word))
}

/** Letters of no script that are part of names: the okina, and the half rings for hamza and ayn ("ʿAlī"). */
const letterRings = '\\u02bb\\u02be\\u02bf'
/** Letters that look like signs: those of no script, such as "ˈ", the saltillo, the middle dot of Latin, and clicks. */
const signLetter = `(?![${letterRings}])(?=\\p{L})\\p{scx=Zyyy}|[\\u01c0-\\u01c3\\u07fa\\ua78b\\ua78c\\ua78f]`
/** Tone letters of Lisu and the final dots of Canadian syllabics. They look like dots and apostrophes, unless they follow a letter of the script. */
const lonelyToneLetter = '(?<!\\p{sc=Lisu})[\\ua4f8-\\ua4fd]|(?<!\\p{sc=Cans})[\\u1427\\u144a]'
/** Marks that strike letters through or join them, and marks for symbols. */
const strikingMark = '[\\u0334-\\u0338\\u20d0-\\u20ff\\ufe20-\\ufe2f]'
/** Signs that are part of words in one script: geresh and gershayim in Hebrew, the tsheg in Tibetan. */
const scriptSign = '(?<=\\p{sc=Hebr}\\p{M}*)[\\u05f3\\u05f4]|(?<=\\p{sc=Tibt}\\p{M}*)\\u0f0b'
const nameCharacters = new RegExp(
  `^(?:(?!${signLetter}|${lonelyToneLetter}|${strikingMark})[\\p{L}\\p{Mn}\\p{Mc}\\p{Nd}\\u3007 \\-'’.·・\\u200c\\u200d]|${scriptSign})*$`,
  'u',
)

/** Whether a text has only letters, marks, digits, spaces and the signs of names: hyphen, apostrophe, dot and middle dot. */
export function hasOnlyNameCharacters(name: string): boolean {
  return nameCharacters.test(name)
}

/** Letters whose compatibility form differs although they are ordinary: letters of Thai and Lao, and the "ª" of "Mª José". */
const ordinaryLetters = /[\u0e33\u0eb3\u0edc\u0edd]|(?<=\p{L})\u00aa/gu

/** Whether a name has letters in a special form, such as "𝐀", "Ａ" or "ﬁ". */
export function hasStyledLetters(name: string): boolean {
  const letters = name.replace(ordinaryLetters, '')
  return letters.normalize('NFKC') !== letters.normalize('NFC')
}

/** More than four marks in a row or one mark twice (Unicode UTS 39), more than two accents, or a mark without a letter. */
const stackedMarks =
  /[\p{Mn}\p{Mc}]{7}|\p{Mn}{5}|(\p{M})\1|[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff]{3}|(?:^|[^\p{L}\p{M}\p{Nd}\u200c\u200d])\p{M}/u

/** Whether a name has so many marks on a letter that they run into the lines above and below. */
export function stacksMarks(name: string): boolean {
  return stackedMarks.test(name)
}
