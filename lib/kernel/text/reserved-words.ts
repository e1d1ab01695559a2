/**
 * Reserves names that would let somebody impersonate the service (contract F, Names). Reserved words match as whole words, with
 * their look-alikes: letters of other alphabets, digits and signs. They do not match inside words: "Badminton" is free.
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

/** Reserved only as the whole name (contract G). */
const reservedNames = ['root', 'staff', 'null', 'undefined', 'anonymous', 'nobody', 'everyone']

/**
 * Look-alikes that are not in the table of confusables of Unicode: small capitals, to which that table also maps Cyrillic letters, and
 * digits and signs. "i" and "1" become "l", because the table maps "I" and "|" to "l".
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

/** Removes accents, other marks and invisible characters, and applies the compatibility form: "Ｂéäk" becomes "Beak". */
function plain(text: string): string {
  return text
    .normalize('NFKC')
    .normalize('NFD')
    .replace(/[\p{M}\p{Default_Ignorable_Code_Point}]/gu, '')
}

/** Returns the same text for all texts that look alike. Only for comparison. */
function skeleton(text: string): string {
  return [...text].every((character) => asciiSkeletons.has(character))
    ? [...text].map((character) => asciiSkeletons.get(character)).join('')
    : fold(text)
}

/** Whether two names look the same to a reader, whatever their letters, capitals, spaces and signs are. */
export function looksAlike(left: string, right: string): boolean {
  const [first, second] = [left, right].map((name) => skeleton(name.replace(/[^\p{L}\p{N}]/gu, '')))
  return first === second && first !== ''
}

function fold(text: string): string {
  let folded = [...text].map(unenclose).join('')
  // Twice, because lower-casing can result in letters that have look-alikes.
  for (let round = 0; round < 2; round++) folded = plain(unhomoglyph(folded)).toLowerCase()
  const letters = [...folded].map((character) => readAs.get(character) ?? character).join('')
  return unhomoglyph(letters)
}

/** ASCII characters do not combine, so the skeleton of an ASCII text consists of the skeletons of its characters. */
const asciiSkeletons = new Map(
  Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)).map((character) => [
    character,
    fold(character),
  ]),
)

const words = reservedWords.map(skeleton).join('|')
const isReservedWord = new RegExp(`^(?:${words})+$`)
const isReservedName = new RegExp(`^(?:${words}|${reservedNames.map(skeleton).join('|')})+$`)

/** The parts of a text between spaces, punctuation and signs. */
const betweenSigns = /[\p{L}\p{N}]+/gu
const camelCase = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u
/** Splits "OFFICIALduck" into "OFFICIAL duck". */
const endOfCapitals = /(?<=\p{Lu}\p{Lu})(?=\p{Ll})/u

/** Returns a word and its parts between capital letters and between digits. */
function partsOf(word: string): string[] {
  return [word, ...word.split(camelCase), ...word.split(endOfCapitals), ...word.split(/\p{N}+/u)]
}

/** Returns a word with and without the digits at its ends. A digit may stand for a letter: "0fficial2". */
function withoutDigits(word: string): string[] {
  const [, before = '', inner = '', after = ''] = /^(\p{N}*)(.*?)(\p{N}*)$/u.exec(word) ?? []
  return [...new Set([word, before + inner, inner + after, inner])].filter((form) => form !== '')
}

const matchesAny = (pattern: RegExp, candidates: string[]) =>
  [...new Set(candidates.flatMap(withoutDigits))].some((candidate) => pattern.test(skeleton(candidate)))

/** Replaces signs by the letters that they look like: "$upport" becomes "support". */
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

/** Words with which the pages speak about devices, alone or before a word for a device: "this device", "yourMac". */
const ownWords = alternatives('this your current trusted verified approved signed unknown')
const devices = alternatives('device session browser computer laptop phone tablet mac pc iphone ipad')
const isOwnWord = new RegExp(`^(?:${ownWords})(?:${devices})?$`)
/** The pages call a session "Chrome on Mac". */
const isBrowser = new RegExp(`^(?:${alternatives('edge opera internet firefox chrome safari curl')})$`)

function alternatives(words: string): string {
  return words.split(' ').map(skeleton).join('|')
}

function speaksAsService(text: string): boolean {
  const found = text.match(betweenSigns) ?? []
  const isBrowserOn = (word: string, index: number) =>
    isBrowser.test(skeleton(word)) && skeleton(found[index + 1] ?? '') === skeleton('on')
  return matchesAny(isOwnWord, found.flatMap(partsOf)) || found.some(isBrowserOn)
}

/**
 * Tells whether a name contains a reserved word in any spelling: between spaces, signs, digits or capital letters, or as the whole
 * name.
 */
export function isReserved(name: string): boolean {
  return formsOf(name).some(matches)
}

/** Tells whether the name of a device sounds like the words of the pages about sessions: "Chrome on your Mac (this device)". */
export function imitatesSession(name: string): boolean {
  return formsOf(name).some(speaksAsService)
}

/** Returns the spellings to check: the upper-case form too, because the Cyrillic "К" looks like "K", but "к" does not look like "k". */
function formsOf(name: string): string[] {
  const text = plain(name)
  const forms = [text, text.toUpperCase()].flatMap((form) => [form, withSignsRead(form)])
  return [...new Set(forms)]
}
