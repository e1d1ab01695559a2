/**
 * Reserves names that would let somebody impersonate the service (contract F, Names). Reserved words match as whole words, with
 * their look-alikes: letters of other alphabets, digits and signs. They do not match inside words: "Badminton" is free.
 */
import unhomoglyph from 'unhomoglyph'

const reservedWords = (
  'admin admins administrator beak helpdesk moderator official postmaster security support sysadmin system webmaster ' +
  'администратор администрация админ модератор поддержка поддержки безопасность безопасности официальный официальная ' +
  'διαχειριστής υποστήριξη מנהל תמיכה الدعم المشرف المسؤول प्रशासक'
).split(' ')

/** Reserved wherever they stand in a name, because these languages write no spaces. "지원" alone is a given name, so it is not here. */
const reservedInside =
  '官方 公式 管理者 管理员 管理員 客服 安全团队 安全團隊 運営 サポート セキュリティ 管理人 관리자 공식 고객지원 고객센터 보안팀'

/** Reserved only as the whole name. */
const reservedNames =
  'root staff null undefined anonymous nobody everyone thehost yourhost noreply billing payments newdevice'.split(
    ' ',
  )

/**
 * Look-alikes that are not in the table of confusables of Unicode: small capitals, to which that table also maps Cyrillic letters, turned
 * letters, and digits and signs. "i" and "1" become "l", because the table maps "I" and "|" to "l".
 */
const readAs = new Map([
  ...pairs('ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋĸʟᴍʍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢßꞓ', 'abcdefghijkklmmnoprstuvwyzbe'),
  ...pairs('ǝəɐʞɹʇɯɥʌɔ', 'eeakrtmhvc'),
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

/**
 * Vowel signs, and the marks of kana. Without them "राम" and "रोमी" would look alike. Accents and the vowel points of Hebrew and Arabic
 * do not count: they can be left out.
 */
const spellingMarks = /[\u3099\u309a]|(?![\p{sc=Zinh}\p{sc=Hebr}\p{sc=Arab}\p{sc=Syrc}])\p{M}/gu

/**
 * Letters that look like signs: apostrophes, dots, clicks, glottal stops, tone letters, and the stroke that lengthens Arabic words. They end
 * a word like a sign, and names that differ only in them look the same.
 */
const signLetters =
  /[\u01c0-\u01c3\u0241\u0242\u0294\u02b9-\u02df\u02e5-\u02ff\u0374\u0559\u0640\u07f4\u07f5\u07fa\u1427\u144a\u16cc\ua4f8-\ua4fd\ua717-\ua721\ua788\ua78b\ua78c\ua78f]/gu

const signs = /[^\p{L}\p{N}]/gu

/** Names in these scripts keep their letters that look like signs, such as "י" and "ノ". */
const keepsSignLetters = /^[\P{L}\p{scx=Hebr}\p{scx=Hira}\p{scx=Kana}\p{scx=Hani}]*$/u

/**
 * Returns the same text for all names that look the same to a reader, whatever their letters, capitals, spaces and signs are. Only for
 * comparison. Empty for a name without letters and digits, which looks like no other.
 */
export function lookOf(name: string): string {
  const visible = name.replace(signLetters, '').replace(signs, '')
  // The skeleton of a letter can be a sign, or contain one: that of "Ƭ" is "'t".
  const letters = keepsSignLetters.test(name) ? skeleton(visible) : skeleton(visible).replace(signs, '')
  const marks = name.normalize('NFKD').match(spellingMarks) ?? []
  return letters === '' ? '' : letters + marks.join('')
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
const hasReservedInside = new RegExp(reservedInside.split(' ').map(plain).join('|'), 'u')
const isReservedName = new RegExp(`^(?:${words}|${reservedNames.map(skeleton).join('|')})+$`)

/** The parts of a text between spaces, punctuation and signs. */
const betweenSigns = /[\p{L}\p{N}]+/gu
const camelCase = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u
/** Splits "OFFICIALduck" into "OFFICIAL duck". */
const endOfCapitals = /(?<=\p{Lu}\p{Lu})(?=\p{Ll})/u

/** Latin letters beside letters of another script: "Beak公式", "Adminさん". */
const changeOfScript = /(?<=\p{sc=Latn})(?=(?!\p{sc=Latn})\p{L})|(?<=(?!\p{sc=Latn})\p{L})(?=\p{sc=Latn})/u

/** Returns a word and its parts between capital letters, between digits and between scripts. */
function partsOf(word: string): string[] {
  const parts = [word, ...word.split(changeOfScript)]
  return [
    ...parts,
    ...parts.flatMap((part) => [
      ...part.split(camelCase),
      ...part.split(endOfCapitals),
      ...part.split(/\p{N}+/u),
    ]),
  ]
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
  const whole = found.join('')
  return (
    hasReservedInside.test(plain(whole)) ||
    matchesAny(isReservedName, [whole]) ||
    matchesAny(isReservedWord, found.flatMap(partsOf))
  )
}

/** Returns words as `foldedTexts` has them. */
export const foldedWords = (words: string): string => words.split(' ').map(skeleton).join(' ')

/** The space between single letters in a row: "B e a k". */
const apart = /(?<=(?<!\S)\S) (?=\S(?!\S))/gu

/**
 * Returns the ways to read a text as words between spaces, with look-alikes, accents, capitals and invisible characters folded. Only for
 * comparison with `foldedWords`.
 */
export function foldedTexts(text: string): string[] {
  const texts = formsOf(text).flatMap((form) => {
    const words = (form.match(betweenSigns) ?? []).join(' ')
    return [words, words.replace(apart, ''), words.split(camelCase).join(' ')]
  })
  return [...new Set(texts)].map((words) => ` ${foldedWords(words)} `)
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

/** Words with which the pages speak to a person or about one, and what speaks so in other languages. */
const wordsToPeople = alternatives(
  'your yours verified unverified certified approved rejected trusted verifie verifiziert geprüft verificado ' +
    'проверено админ поддержка 已验证 客服 サポート',
)
/** Whole names that the pages write in the place of a name or beside one: "You approved", "Closed", "An agent of Anna". */
const placeholders = alternatives(
  'you somebody someone closed deleted unknown unknownperson expired checked approve agent anagent youragent',
)
/** Words in a row with which the pages speak about people and requests. */
const phrases = [
  'agent of',
  'operator of',
  'this service',
  'first contact',
  'low risk',
  'medium risk',
  'high risk',
  'closed account',
  'deleted account',
]
const isWordToPeople = new RegExp(`^(?:${wordsToPeople})$`)
const isPlaceholder = new RegExp(`^(?:${placeholders})$`)
const isMe = skeleton('me')
const hasPhrase = new RegExp(`(?:^| )(?:${phrases.map(foldedWords).join('|')})(?: |$)`)
/** The digit is compared as it is written: "To" and "Ti" are names. */
const hasTier = new RegExp(`(?:^| )(?:t|${skeleton('tier')}) ?(?:[0-3]|(?![0-9])\\p{Nd})(?: |$)`, 'u')

/**
 * Tells whether the name of a person sounds like the words of the pages about people: "You", "YourAgent", "An agent of Anna", "Anna T3". Words
 * also end between small and capital letters.
 */
export function soundsLikePages(name: string): boolean {
  const isAccented = /\p{M}/u.test(name.normalize('NFD'))
  const forms = formsOf(name).flatMap((text) => [text, text.split(camelCase).join(' ')])
  return [...new Set(forms)].some((text) => {
    const found = text.match(betweenSigns) ?? []
    const folded = found.map(skeleton)
    const whole = folded.join('')
    return (
      isPlaceholder.test(whole) ||
      // "Mê" and "Mẹ" are names.
      (whole === isMe && !isAccented) ||
      folded.some((word) => isWordToPeople.test(word)) ||
      hasPhrase.test(folded.join(' ')) ||
      hasTier.test(found.map((word) => word.replace(/^\p{L}+/u, skeleton)).join(' '))
    )
  })
}

/** What makes a handle of a reserved word: "supportteam", "realadmin". */
const beforeReserved = alternatives('the real get ask')
const afterReserved = alternatives('team bot help app')
const isCompound = new RegExp(`^(?:${beforeReserved})*(?:${words})+(?:${afterReserved})*$`)
const startsOrEndsWithBeak = new RegExp(`^${skeleton('beak')}|${skeleton('beak')}$`)

/** Tells whether a handle claims to be of the service. Handles have no words, so "beak" counts at the beginning and at the end. */
export function claimsService(handle: string): boolean {
  const look = lookOf(handle)
  return isReserved(handle) || startsOrEndsWithBeak.test(look) || isCompound.test(look)
}

/** Whether a word, as it is written, consists of letters of another alphabet that all look like Latin ones: "Сосо" in Cyrillic. */
export function imitatesLatin(word: string): boolean {
  const letters = word.match(/\p{L}/gu) ?? []
  return (
    letters.length > 0 &&
    letters.every((letter) => !/\p{scx=Latn}/u.test(letter) && /^[A-Za-z]$/.test(unhomoglyph(letter)))
  )
}

/** Returns the spellings to check: the upper-case form too, because the Cyrillic "К" looks like "K", but "к" does not look like "k". */
function formsOf(name: string): string[] {
  const text = plain(name)
  const texts = [text, text.replace(signLetters, "'"), text.replace(signLetters, '')]
  const forms = [...new Set(texts.flatMap((form) => [form, form.toUpperCase()]))].flatMap((form) => [
    form,
    withSignsRead(form),
  ])
  return [...new Set(forms)]
}
