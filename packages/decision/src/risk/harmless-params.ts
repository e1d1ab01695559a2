/** Whether the params of a harmless action are harmless, too: each name and each value. What is not known to be harmless is not. */
import { withLetters } from '../digits-for-letters'
import { conceptOf, conceptOfJoined, isNothing, isParticiple, wordsOf } from './concepts'
import { type Field, wordsIn } from './content'
import { isHarmlessQuery } from './harmless-commands'
import { isKnownName, isWholeName } from './harmless-names'
import type { HarmlessKind } from './harmless-verbs'
import { isPlainLine } from './plain-lines'
import { folded, setOf } from './words'

/** Names of texts for people. */
const proseNames = setOf(
  'title text content contents body note notes description desc subject message summary question query q search topic topics comment caption item items task reason purpose goal prompt label name product term word phrase sentence event segment heading keyword keywords k theme idea string input consulta titulo texto sujet recherche titel thema suche pattern regex tone ton focus interests hobbies',
)
/** Things that guard a home, a device or an account. */
const guards = setOf(
  'lock locks door doors garage gate gates alarm alarme alarma camera cameras kamera cam cams smoke detector detectors firewall vpn antivirus safe safes garagentor tor haustur haustuer wohnungstur wohnungstuer tuerschloss puerta porta portail serrure deur slot_deur intercom buzzer geofence sicherheit security backup backups recovery',
)
/** Verbs that are nouns as well: only `true` or the like makes them act. */
const doubles = setOf(
  'book books booking order orders reserve mail email message post call phone print save sign ship rent hire close open start schedule answer reply comment text record pin hold commit run apply open clear empty drop play stop change move update insert apply label list merge pick ignore run runs checkout upgrade return returns request format download copy target stream switch show link',
)
/** These act also with details of their own: `order: {…}`. */
const boundDoubles = setOf(
  'report open commit run book booking order reserve hold change move update apply call print sign ship rent hire pin clear empty',
)
/** Verbs at the start of a name, which `true` makes act: `end_all`, `commit`. */
const starting = setOf(
  'commit end finish complete finalise finalize conclude go live star create add save mark append assign attach block close open edit enter extend insert log make move new pause pin postpone put queue rename resume schedule set snooze start stop take tick toggle unpin update upsert turn switch raise lower skip play hold confirm join leave renew book order reserve answer rsvp vote claim collect decide settle sell proceed continue lock arm empty call ring dial print ship buy',
)
const describing = setOf(
  'include exclude included show only is has with without no by allow_empty open_now sort',
)
const bound = setOf('open commit run apply')
/** Names that say what happens. */
const operations = setOf(
  'mode method steps step next then action actions do after before on operation followup strategy policy trigger',
)
/** Verbs at the start of a name: `book_cheapest`. */
const leading = setOf(
  'book order reserve hold pin call print ship rent hire apply post mail email sign change move update switch save',
)
/** Verbs that are no nouns: at the start of a name they act, whatever comes after them: `change_name`, `extend_session_until`. */
const onlyVerbs = setOf(
  'change extend create enter insert append attach assign rename resume postpone upsert confirm collect decide settle sell claim renew finalise finalize complete choose select join leave become rebook reschedule reroute reassign',
)
/** What makes a noun of a verb at the start of a name: `book_id`. */
const nounEnds = setOf(
  'id ids date time type count by name number title format status key ref length size order limit index color unit units level no page field fields year month day week',
)
const meantNow =
  /^(?:true|t|yes|y|1|on|always|ja|oui|si|sim|da|evet|tak|now|asap|immediate(?:ly)?|auto\w*|all|any|first|best|cheapest|instant|sofort|jetzt|direct|confirm(?:ed)?|go|ok)$/

/** Signs of code, of a variable that is put in, or of markup. */
const code = /\$\(|\$\{|`|\{\{|<\s*\/?[a-z]|&&|\|\||;\s*\S|\bjavascript:|\\x[0-9a-f]{2}|%[0-9a-f]{2}%|data:/i
const connectors = setOf(
  'then afterwards after also next plus finally danach dann anschliessend ausserdem und puis ensuite apres luego despues tambien poi dopo anche daarna ook depois tambem potem sonra',
)
/** How many words after a connector can be what it asks for. */
const reach = 3

/** Programs that do what is said near them. */
const listening = /\b(?:alexa|siri|bixby|cortana|(?:hey|ok) google)\b/i

/** Whether prose only says what the action is about, and asks for nothing else. */
function isPlainProse(text: string, given: string[], kind: HarmlessKind, isOwn: boolean): boolean {
  const isReading = kind === 'read' || kind === 'search' || kind === 'compute'
  if ((isReading && code.test(text)) || (kind === 'switch' && listening.test(text))) return false
  if (!isOwn && (text.length > 60 || /[:;?&=]|\band\b/.test(text))) return false
  if (/\$\(|\$\{|\{\{|<script|<img/i.test(text)) return false
  const words = given
  for (const [at, word] of words.entries()) {
    const concept = conceptOf(word)
    if (concept !== null && concept !== 'do' && (!isOwn || (concept === 'secret' && isReading))) return false
    if (connectors.has(word) && words.slice(at + 1, at + 1 + reach).some((next) => acts(next))) return false
  }
  return !assignments(text).some(([name, value]) => acts(...wordsOf(name)) && !isNothing(value))
}

const acts = (...words: string[]) => words.some((word) => conceptOf(word) !== null || doubles.has(word))

/** Returns the names and values in a text: `a=1&delete=true`, "delete: true". */
function assignments(text: string): [string, string][] {
  if (!/[=:]/.test(text)) return []
  return [...text.matchAll(/([\p{L}\p{N}_.-]{1,40})["']?\s*[=:]\s*["']?([\p{L}\p{N}_.@/-]{0,80})/gu)].map(
    ([, name = '', value = '']) => [name, value],
  )
}

const pathName =
  /(^|_)(path|paths|file|files|filename|folder|folders|dir|dirs|directory|cwd|workdir|root|glob|include|exclude|input|output|in|out|video|srt|image|images|document|documents|src|source|target|module|lockfile|migrations|context|project|repo|base|head|ref|branch|chart|values|spec|schema|template|lines|selection|config_dir|output_dir|out_dir|workspace|package|packages|library|ignore)$/
/** Folders and files outside of a project or of documents. */
const outside =
  /^(?:\/(?:etc|proc|sys|dev|root|run|boot|var|private|opt|usr|bin)\b|[a-z]:\\windows|\\\\)|(?:^|[\\/])\.(?!github[\\/]|storybook|\.?$|\/|vscode[\\/]extensions|nvmrc|eslintrc|prettierrc|editorconfig|gitignore)[a-z]|appdata|application support|\.\.[\\/].*\.\.[\\/]|%2e%2e/i

function isPlainPath(text: string): boolean {
  if (code.test(text) || outside.test(text)) return false
  return !wordsOf(text).some((word) => conceptOf(word) === 'secret' || guardedPath.has(word))
}
const guardedPath = setOf(
  'credentials seed recovery mots passe secours confidential confidentiel geheim vertraulich private priv prive privat identity identite kdbx',
)

/** Parts of an address that do something when it is opened. */
function isPlainUrl(text: string): boolean {
  let url: URL
  try {
    url = new URL(text)
  } catch {
    return false
  }
  if (url.protocol === 'file:')
    return isPlainPath(decodeURIComponent(url.pathname).replace(/^\/(?:home|users)\//i, ''))
  if (!/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return false
  const isLocal = /^(?:localhost|127\.0\.0\.1)$/.test(url.hostname)
  if (!isLocal && /^[\d.]+$|^\[/.test(url.hostname)) return false
  const isManual =
    /(?:^|\.)(?:docs|developer|devdocs|learn|wiki|reference|api-docs|en|react|nodejs)\.|(?:^|\.)docs?\.rs$|\.dev$/.test(
      url.hostname,
    ) || /\/(?:docs?|reference|wiki|manual|guide)\//.test(url.pathname)
  for (const [name, value] of url.searchParams) {
    if (acts(...wordsOf(name)) && !isNothing(value)) return false
    if (
      value.length > 40 ||
      /^[\w+/=-]{16,}$/.test(value) ||
      wordsOf(value).some((word) => conceptOf(word) !== null)
    )
      return false
  }
  const words = wordsOf(safeDecode(url.pathname))
  if (words.some((word) => conceptOf(word) === 'secret')) return false
  if (words.some((word) => word.length > 24 && /\d/.test(word))) return false
  return (isManual && url.search === '') || words.every((word) => conceptOf(word) === null)
}

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** What a stranger does not look up beside something public. */
const personal = setOf(
  'home address addresses email emails mail phone phones contact contacts agenda calendar birthday birthdays alarm location profile user identity identite adresse adresses telefon telefono carnet memory history her his their she he owner person child children',
)

/** What a person tells a doctor. */
const closest =
  /\b(?:home|private) address\b|\bwohnadresse|\bprivatadresse|\badresse personnelle|\bdomicilio|\bpins?\b(?= )|(?<= )\bpins?\b|\b(?:diagnos\w*|therap(?:y|ie|ia) notes?|psych\w*|depress\w*|abortion|pregnan\w*|hiv)\b/

const urlName = /^(?:[a-z_]*_)?(?:url|uri|link|href|page|website|site)$/
/** A statement of a database that is no query. */
const statement =
  /^\s*(?:with|copy|update|insert|delete|alter|create|drop|grant|truncate|call|do|merge|vacuum|begin|exec\w*|mutation)\b[^\n]*(?:\b(?:from|set|into|table|to|on|as|select)\b|[{(])/i
const sqlName = /^(?:sql|query|statement|q)$/
/** Names whose values are code of a language of queries: they are read, not run. */
const languageName =
  /^(?:jql|promql|query|q|selector|filter|filters|pattern|regex|format|glob|sort|order_by|include|exclude)$/

function isPlainText(field: Field, text: string, kind: HarmlessKind, isOwn: boolean): boolean {
  const { name, path } = field
  if (text.length > 4000 || (/^-{1,2}[a-z]/i.test(text) && !/^(?:sort|order|order_by|orderby)$/.test(name)))
    return false
  if (!isOwn && /\.\.[\\/]|^[~/]/.test(text)) return false
  if (!isOwn && wordsOf(text).some((word) => personal.has(word))) return false
  if (closest.test(folded(text)) && (kind === 'read' || kind === 'search')) return false
  if (sqlName.test(name) && /^\s*(?:select|explain|show|describe|with)\b/i.test(text))
    return isHarmlessQuery(text)
  if (sqlName.test(name) && statement.test(text)) return false
  if (urlName.test(name) && /:\/\//.test(text)) return isPlainUrl(text)
  if (/:\/\//.test(text) && kind !== 'plan' && kind !== 'draft') return urlName.test(name) && isPlainUrl(text)
  if (pathName.test(name) && /[/\\.]/.test(text)) return isPlainPath(text)
  if ((name === 'purpose' || name === 'goal') && wordsIn(field).some((word) => conceptOf(word) !== null))
    return false
  if (proseNames.has(name)) {
    if (languageName.test(name) && /[{}()=:]/.test(text))
      return isPlainLanguage(text) && !/\$\(|`|\$\{|&&/.test(text)
    return isPlainProse(text, wordsIn(field), kind, isOwn)
  }
  if (name === 'format' || name === 'jql') return isPlainLanguage(text)
  if (code.test(text)) return false
  const words = wordsIn(field)
  if (words.length > 30) return false
  const around = path.split('.').at(-1) ?? ''
  // What happens is known, or it is not harmless: `mode: "eco"`, and not `mode: "versturen"`.
  if (
    (operations.has(name) || operations.has(around)) &&
    words.some((word) => doubles.has(word) || !isKnownName(word))
  )
    return false
  if (words.some((word) => /[0-9@$]/.test(word) && isDisguised(word))) return false
  if (words.some((word) => guards.has(word)) && (kind === 'switch' || kind === 'plan' || kind === 'book'))
    return false
  return words.every((word) => {
    const concept = conceptOf(word)
    return (
      concept === null || word === 'run' || (isParticiple(word) && (kind === 'read' || kind === 'search'))
    )
  })
}

/** Whether digits stand for letters in a verb or a guard: `0pen_d00rs`. */
const isDisguised = (word: string): boolean => {
  const plain = withLetters(word)
  return plain !== word && (doubles.has(plain) || guards.has(plain))
}

/** A query in a language of its own names fields, and does nothing. */
const isPlainLanguage = (text: string) =>
  !wordsOf(text).some((word) => {
    const concept = conceptOf(word)
    return concept !== null && concept !== 'do' && concept !== 'grant'
  }) && !/\$\(|`|\$\{|&&|;/.test(text)

function isPlainField(field: Field, kind: HarmlessKind, isOwn: boolean): boolean {
  const { name, path, value } = field
  const words = name.split('_')
  const isList = typeof value === 'object' && value !== null
  const acting =
    !isWholeName(name) &&
    (words.some((word) => conceptOf(word) !== null) || (/\d/.test(name) && conceptOfJoined(name) !== null))
  if (acting) return !isList && isNothing(value) && !words.some((word) => guards.has(word))
  if (name !== '' && !isKnownName(name)) return false
  if (
    words.length > 1 &&
    leading.has(words[0] ?? '') &&
    !isWholeName(name) &&
    !nounEnds.has(words.at(-1) ?? '')
  )
    return false
  if (words.length > 1 && onlyVerbs.has(words[0] ?? '') && !isWholeName(name)) return isNothing(value)
  if (/^in_?place$|^keep_/.test(name) && (isNothing(value) || /place/.test(name))) return false
  if (words.some((word) => guards.has(word)) || path.split(/[._]/).some((word) => guards.has(word)))
    return (kind === 'read' || kind === 'search') && typeof value !== 'boolean'
  if (isList) return !boundDoubles.has(name) && !(name === 'all' && kind !== 'read' && kind !== 'search')
  if (value === null) return true
  if (
    /^(?:all|recursive|everything)$/.test(name) &&
    !isNothing(value) &&
    /^(?:plan|switch|book|draft)$/.test(kind)
  )
    return false
  if (/(?:^|_)visibility$/.test(name))
    return /^(?:private|privat|self|only_?me|none)$/.test(folded(String(value)))
  if (typeof value === 'boolean')
    return (
      !value ||
      isWholeName(name) ||
      !(
        doubles.has(name) ||
        starting.has(words[0] ?? '') ||
        (!describing.has(words[0] ?? '') &&
          (doubles.has(words[0] ?? '') ||
            words.some((word) => leading.has(word) || starting.has(word) || bound.has(word))))
      )
    )
  if (typeof value === 'number') return value !== 1 || !doubles.has(name)
  const text = String(value)
  if (doubles.has(name) && meantNow.test(folded(text).trim())) return false
  return isPlainText(field, text, kind, isOwn)
}

/** Whether each name and each value of the params is known to be harmless beside a harmless action. */
export function hasHarmlessParams(
  { fields, lines }: { fields: Field[]; lines: string[] },
  kind: HarmlessKind,
  isOwn: boolean,
): boolean {
  const isDraft = isOwn && kind === 'draft'
  return (
    fields.every((field) => isPlainField(field, kind, isOwn)) &&
    lines.every((line) => isPlainLine(line, isDraft, kind === 'plan' || kind === 'book'))
  )
}
