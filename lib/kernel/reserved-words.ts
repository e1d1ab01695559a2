/**
 * Names that would let somebody pass for the service (contract F, Names). Reserved words are matched as whole words, together
 * with their look-alikes: letters of other alphabets, digits and signs. They are not matched inside words: "Badminton" is free.
 */
import unhomoglyph from 'unhomoglyph'

const reservedWords = [
  'admin',
  'admins',
  'administrator',
  'beak',
  'helpdesk',
  'moderator',
  'official',
  'postmaster',
  'security',
  'support',
  'sysadmin',
  'system',
  'webmaster',
]

/** Reserved only as the whole name. Spec silent: the words themselves. */
const reservedNames = ['root', 'staff', 'null', 'undefined', 'anonymous', 'nobody', 'everyone']

/**
 * What Unicode's table of confusables leaves out: small capitals, which Unicode's table also maps Cyrillic letters to, and
 * digits and signs that are read as letters. "i" and "1" are read as "l", as the table reads "I" and "|".
 */
const readAs = new Map([
  ...pairs('ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋĸʟᴍʍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢßꞓ', 'abcdefghijkklmmnoprstuvwyzbe'),
  ...pairs('i!¡2345678@$€£+', 'lllzeasbtbaselt'),
])

function pairs(from: string, to: string): [string, string][] {
  const letters = [...to]
  return [...from].map((character, index) => [character, letters[index] ?? character])
}

/** Letters in squares and circles, and regional indicators, which Unicode does not decompose. */
const enclosedAlphabets = [0x1f150, 0x1f170, 0x1f1e6]

function unenclose(character: string): string {
  const code = character.codePointAt(0) ?? 0
  const start = enclosedAlphabets.find((first) => code >= first && code < first + 26)
  return start === undefined ? character : String.fromCharCode(0x61 + code - start)
}

/** Without accents, other marks and invisible characters, in compatibility form: "Ｂéäk" is "Beak". */
function plain(text: string): string {
  return text
    .normalize('NFKC')
    .normalize('NFD')
    .replace(/[\p{M}\p{Default_Ignorable_Code_Point}]/gu, '')
}

/** Returns the same text for all texts that look alike. Only good for comparing. */
function skeleton(text: string): string {
  let folded = [...text].map(unenclose).join('')
  // Twice: lower-casing gives letters that have look-alikes of their own.
  for (let round = 0; round < 2; round++) folded = plain(unhomoglyph(folded)).toLowerCase()
  const letters = [...folded].map((character) => readAs.get(character) ?? character).join('')
  return unhomoglyph(letters)
}

const words = reservedWords.map(skeleton).join('|')
const isReservedWord = new RegExp(`^(?:${words})+$`)
const isReservedName = new RegExp(`^(?:${words}|${reservedNames.map(skeleton).join('|')})+$`)

/** The parts of a text between spaces, punctuation and signs. */
const betweenSigns = /[\p{L}\p{N}]+/gu
const camelCase = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u
/** "OFFICIALduck" is read as "OFFICIAL duck". */
const endOfCapitals = /(?<=\p{Lu}\p{Lu})(?=\p{Ll})/u

/** A word as it stands, and its parts at capital letters and at digits. */
function partsOf(word: string): string[] {
  return [word, ...word.split(camelCase), ...word.split(endOfCapitals), ...word.split(/\p{N}+/u)]
}

/** A word as it stands, and without the digits at its ends, which may be letters in disguise: "0fficial2". */
function withoutDigits(word: string): string[] {
  const [, before = '', inner = '', after = ''] = /^(\p{N}*)(.*?)(\p{N}*)$/u.exec(word) ?? []
  return [...new Set([word, before + inner, inner + after, inner])].filter((form) => form !== '')
}

const matchesAny = (pattern: RegExp, candidates: string[]) =>
  [...new Set(candidates.flatMap(withoutDigits))].some((candidate) => pattern.test(skeleton(candidate)))

/** Signs as the letters they are read as: "$upport" is "support". */
function withSignsRead(text: string): string {
  return text.replace(/[^\p{L}\p{N}\s]/gu, (sign) => {
    const read = skeleton(sign)
    return /^\p{L}+$/u.test(read) ? read : ' '
  })
}

function matches(text: string): boolean {
  const found = text.match(betweenSigns) ?? []
  return matchesAny(isReservedName, [found.join('')]) || matchesAny(isReservedWord, found.flatMap(partsOf))
}

/**
 * Returns whether the name has a reserved word in it, whatever the spelling: as a word between spaces, signs, digits or at
 * capital letters, or as the whole name. Capital letters are tried too, because "К" looks like "K" where "к" does not.
 */
export function isReserved(name: string): boolean {
  const text = plain(name)
  return [text, text.toUpperCase()].some((form) => matches(form) || matches(withSignsRead(form)))
}
