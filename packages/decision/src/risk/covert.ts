/**
 * Dangers in the params of an action that looks harmless: a name or a value that destroys, pays, passes on, opens or runs something. The words
 * are those of `concepts.ts`, so spelling, language and depth change nothing.
 */
import { say, type Wording } from '../wording'
import { looksLikeCommand } from './commands'
import { type Concept, conceptOf, conceptOfJoined, isNothing, wordsOf } from './concepts'
import { type Content, type Field, wordsIn } from './content'
import { codes, destroys, opensToOthers, passesOn, runsBesides, weakensProtection } from './danger'
import type { HarmlessKind } from './harmless-verbs'
import type { RiskReason, RiskRule } from './levels'
import { folded, setOf } from './words'

/** Names that say what happens next, or what to do. */
const operations = setOf(
  'then after afterwards next finally also do does action actions aktion accion azione operation op step steps mode method policy command cmd service set on result results post process followup follow task side routine flag flags args options opts config extra extras danach dann ensuite apres luego poi onend ondone onfound onresult onmatch onmismatch instruction instructions lifecycle strategy trigger paywall ask',
)
/** Verbs that are nouns as well: they act as the value of such a name only. */
const openWords = setOf(
  'open opened up unlocked offen auf ouvert abierto aperto disarmed off aus 0 false disabled stumm silent none never paused bypass skip desarmer desarmado entsperrt home_off muted jamais nie nunca mai nooit nikdy clear paused relaxed',
)
const guards = setOf(
  'lock locks door doors haustur haustuer wohnungstur tuer tur tor garage garagentor gate alarm alarme alarma camera cameras kamera cam cams smoke detector detectors firewall vpn killswitch antivirus mfa 2fa safe intercom puerta porta portail serrure deur recording protection enforce branchprotection verification confirmations confirmation audit monitoring emergencycalls sensitivity signature verify',
)
const isDate = (value: unknown) => typeof value === 'string' && /^\d[\d:.t +z/-]*$/i.test(value)
const place =
  /[^\s@]+@[^\s@]+\.\w|:\/\/(?!localhost|127\.)|(?:^|\s)\+?\d{6,}|\b[a-z]{2}\d{2}[\d ]{10,}|^[@#]\w|:@\w|t\.me\/|^telegram:/i

const sentences: Record<Exclude<Concept, 'do' | 'pay' | 'secret'>, [RiskRule, (name: string) => Wording]> = {
  destroy: ['irreversible', destroys],
  pass: ['outward', passesOn],
  run: ['command', runsBesides],
  open: ['control', opensToOthers],
  grant: ['control', opensToOthers],
  weaken: ['force', weakensProtection],
}

const isOperation = (field: Field) =>
  [...field.name.split('_'), ...(field.path.split('.').at(-1) ?? '').split('_')].some((word) =>
    operations.has(word),
  )

/** Names that describe instead of doing. */
const telling =
  /(?:^|_)(?:count|id|ids|at|date|on|by|before|after|since|until|days|time|type|name|status|limit|max|min|page|next|visible|note|policy|key|only|first|rate|fee|period|window|number|per|language|mode_name|included|excluded)$|^(?:include|exclude|show|hide|is|has|max|min|no|skip_weekend|only|not)_|^dry_?run$|^merge$|^ignore$|^(?:to_|move_to_|use_)?trash$|^(?:delete|remove)_(?:source_|head_)?branch$/

const reason = (rule: RiskRule, wording: Wording): RiskReason => ({ rule, level: 'high', wording })

/** What the name of a field does. */
function conceptOfName({ name }: Field): Concept | null {
  let found: Concept | null = null
  for (const word of name.split('_')) {
    const concept = conceptOf(word)
    if (concept !== null && concept !== 'do') found ??= concept
  }
  return found ?? (/\d/.test(name) ? conceptOfJoined(name) : null)
}

/** What is paid for work that is not used. */
const killFee = /\bkill fees?\b/i

/** What a short value does, or a longer one under a name that says what happens. */
function conceptOfValue(field: Field, isLooking: boolean): Concept | null {
  const { value } = field
  if (typeof value !== 'string' || value.length > 300) return null
  const operation = isOperation(field)
  if (!operation && !isLooking) return null
  const isShort = value.length < 40 && !/\s\S+\s/.test(value) && !/[\\/]/.test(value)
  if (!operation && !isShort) return null
  if (operation && /(?:turn|switch)[_ ]?off|abschalt/i.test(value)) return 'weaken'
  for (const word of wordsIn(field)) {
    const concept = word === 'kill' && killFee.test(value) ? null : conceptOf(word)
    if (concept === null || concept === 'do' || concept === 'pay') continue
    if (operation || concept === 'secret' || concept === 'open' || concept === 'destroy') return concept
  }
  return null
}

/** A guard that is opened or switched off: `{"lock.cellar": "unlocked"}`, `{"garage": {"position": "up"}}`. */
function opensGuard(field: Field): boolean {
  const { name, path, value } = field
  if (typeof value === 'object') return false
  const words = wordsIn(field)
  if (words.length > 12) return false
  const text = typeof value === 'string' && words.length < 3 ? folded(value).trim() : String(value)
  const about = [name.replaceAll('_', ''), ...name.split('_'), ...path.split(/[._]/)]
  const isGuard = about.some((word) => guards.has(word))
  if (
    isGuard &&
    (openWords.has(text) || words.some((word) => openWords.has(word) || conceptOf(word) === 'open'))
  )
    return true
  return (
    words.some((word) => guards.has(word)) &&
    words.some((word) => word === 'open' || word === 'auf' || word === 'up' || conceptOf(word) === 'open')
  )
}

/** What is looked through by a request: where codes and keys are found. */
const stores = setOf(
  'note notes notiz notizen notatki nota notas photo photos image mail mails email emails gmail sms message messages clipboard file files document documents drive code database db env environment config screenshot profile history vault document logs contacts item',
)

/** Returns the dangers that the params of a harmless-looking action have. */
export function covertDangers(
  content: Content,
  action: string,
  look: { isReading: boolean; kind: HarmlessKind | null; isKnown: boolean },
): RiskReason[] {
  const found: RiskReason[] = []
  const inAction = wordsOf(action)
  const showsFiles =
    (look.kind === null || look.kind === 'plan') && inAction.some((word) => showing.has(word))
  const hasGuard = content.fields.some(
    (field) => wordsIn(field).length < 8 && wordsIn(field).some((word) => guards.has(word)),
  )
  const looksThrough = inAction.some((word) => stores.has(word))
  for (const field of content.fields) {
    const { name, value } = field
    if (
      opensGuard(field) ||
      (hasGuard &&
        /^(?:set|to|state|command|do|action|service|value|position)$/.test(name) &&
        opened.has(folded(String(value)).trim()))
    )
      found.push(reason('control', opensToOthers()))
    if (isNothing(value) || isDate(value)) continue
    const around = conceptOfName({ ...field, name: field.path.split('.').at(-1) ?? '' })
    const named = conceptOfName(field) ?? (around === 'pass' || around === 'pay' ? around : null)
    if (
      (look.isReading || showsFiles) &&
      typeof value === 'string' &&
      asksForSecrets(value) &&
      !inAction.some((word) => publicPlaces.has(word))
    )
      found.push(reason('secret', codes()))
    if (look.isKnown) continue
    const runs = look.kind === 'command' || look.kind === 'test'
    const isOwnCommand = runs && /^(?:commands?|cmd|script|shell|argv|args|runner)$/.test(name)
    const takesOff = look.kind === 'plan' && name === 'remove'
    if (content.isProduction && changesProduction(field))
      found.push(reason('production', say('details_mention_production')))
    if (
      look.isReading &&
      content.largest !== null &&
      Math.abs(content.largest.amount) >= 1000 &&
      name.split('_').some((word) => conceptOf(word) === 'do')
    )
      found.push(reason('command', runsBesides(name)))
    const tells = telling.test(name) && !(named === 'secret' && value === true)
    if (
      named !== null &&
      !tells &&
      (named !== 'secret' || look.isReading || value === true) &&
      !isOwnCommand &&
      !takesOff
    )
      add(found, named, field, content)
    const valued =
      runs || content.command !== null ? null : conceptOfValue(field, look.isReading || look.kind !== null)
    if (valued === 'secret' && (looksThrough || look.isReading) && isSecretRequest(field))
      found.push(reason('secret', codes()))
    else if (valued === 'pass' && isOperation(field)) found.push(reason('outward', passesOn(name)))
    else if (valued !== null && valued !== 'secret' && isOperation(field)) add(found, valued, field, content)
    else if (valued === 'destroy' || valued === 'open') add(found, valued, field, content)
  }
  return found
}

/** A field that changes something where the request names production: a statement, or what happens next. */
function changesProduction(field: Field): boolean {
  const { name, value } = field
  if (
    typeof value === 'string' &&
    /^\s*(?:update|insert|alter|merge|call|create|copy|vacuum|reindex|with)\b/i.test(value) &&
    /sql|query|statement|command|cmd/.test(name)
  )
    return true
  if (
    !telling.test(name) &&
    name.split('_').some((word) => conceptOf(word) !== null && conceptOf(word) !== 'secret')
  )
    return !isKnownNoun.has(name)
  return (
    typeof value === 'string' &&
    value.length < 80 &&
    isOperation(field) &&
    wordsOf(value).some((word) => conceptOf(word) !== null || word === 'reset')
  )
}
const isKnownNoun = setOf('command cmd script run service')
const opened = setOf('open opened up unlocked unlock offen auf ouvert abierto aperto disarmed disarm')
/** Verbs that show a file, or make another one of it. */
const showing = setOf(
  'print copy open export convert download view screenshot snapshot capture dump preview render ocr extract sync',
)
const publicPlaces = setOf(
  'web internet docs documentation topic news wikipedia article articles translate text recipe recipes error draft letter write compose',
)
/** Secrets by the words around them, in texts of any length. */
const secretPhrase =
  /private key|(?:seed|recovery|backup|notfall|secours|wiederherstellung\w*|reset)[ _-]*(?:phrases?|codes?|keys?|worter|words?)|codes?[ _-](?:de )?(?:secours|verif\w*|recuperation)|wiederherstellung|\b(?:12|18|24)[ -](?:words?|worter|mots|palabras|parole)|one[- ]?time|verification|bestatigungscode|sicherheitscode|(?:\d|six|four)[ -]?digit|\bcode (?:aus|from|in|de|del|dans)\b|\b(?:sign|log)[- ]?in codes?\b|κωδικ|process\.env|database_url|\b\w+_(?:sk|secret|token|api_?key|password|key)\b|\.env\b|config\.env|storage_?state|mots?[ -]de[ -]passe|mat khau|\bclaves?\b|\bsk_live|\bglpat|\bgh[pousr]_|\bakia|\bxox[abps]-|\baiza|otpauth:|(?:alarm|door|gate|access|safe|tur|tuer)[-_ ]?codes?\b|passeport|\breisepass|personalausweis|carte d.identite|\b(?:password|passwort|passcode|contrasena|kennwort|senha|wachtwoord)\w*/

function asksForSecrets(text: string): boolean {
  return text.length < 500 && secretPhrase.test(folded(text))
}

/** A list of things that are looked at, and not the name of an app. */
const isSecretRequest = ({ name }: Field) =>
  !/^(?:url|name_of_app|tool|repo|project|unit|currency|model|path|file|files|next|page|cursor)$/.test(name)

function add(found: RiskReason[], concept: Concept, field: Field, content: Content): void {
  const { name, value } = field
  if (concept === 'do') return
  if (concept === 'pay') {
    const goesAway =
      typeof value === 'string' &&
      (place.test(value) || /^(?:all|max|100|alles|tout|todo|unlimited|any)$/i.test(value))
    if (goesAway || (content.largest !== null && Math.abs(content.largest.amount) >= 1000))
      found.push(reason('money', say('moves_money')))
    return
  }
  // A flag of this kind is true or 1, and no other number.
  if (typeof value === 'number' && value !== 1 && concept !== 'destroy') return
  if (concept === 'secret') {
    if (
      value !== true &&
      typeof value !== 'object' &&
      !(typeof value === 'string' && /^[a-z]{2,10}$/i.test(value))
    )
      return
    found.push(reason('secret', codes()))
    return
  }
  // A flag that sends or shares may reach people whom the request names. Where it goes outside, it passes something on.
  if (concept === 'pass' && (typeof value !== 'string' || !place.test(value))) return
  // A script for a call or a scene is no program.
  if (
    concept === 'run' &&
    /^(?:scripts?|commands?|cmd|macro|run|runs)$/.test(name) &&
    (typeof value !== 'string' || !looksLikeCommand('', value))
  )
    return
  const [rule, wording] = sentences[concept]
  found.push(reason(rule, wording(name)))
}
