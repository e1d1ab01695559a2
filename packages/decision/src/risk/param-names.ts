/** What the rules of risk read in the names of params, in snake case, together with their values. */
import { looksLikeCommand, programOf } from './commands'
import { destroying as destroyingWords, folded, hardToUndo, outward, paying, wiring } from './words'

const trueText = /^\s*(true|t|yes|y|1|on|enabled?|always|ja|oui|si|sim|wahr|vrai)\s*$/
const falseText = /^\s*(false|f|no|n|0|off|disabled?|never|none|nein|non|nao|nee|null|)\s*$/

/** Whether a value is `true` as JSON, or a number or text that programs read as true. */
const isTrue = (value: unknown): boolean => value === true || trueText.test(folded(String(value)))
/** Whether a value is `false` as JSON, empty, or a text that programs read as false. */
export const isFalse = (value: unknown): boolean =>
  value === null || value === false || (typeof value !== 'object' && falseText.test(folded(String(value))))

const forceName =
  /(^|_)(auto_?approved?|auto_?confirm|bypass|cascade|cascading|dangerously|force|forced|forcibly|hard|irreversible|irreversibly|override|overwrite|permanent|permanently|purge|recursive|recursively|unsafe)(_|$)|^(all|everything)$|^(skip|no|ignore|without|disable)_?(approval|backup|check|confirm|confirmation|dry_?run|final_snapshot|hook|limit|lock|mfa|prompt|protection|review|safety|sandbox|ssl|tls|validation|verification|verify|warning)s?$/
/** Safeguards that a param may turn off: `backup: false`. */
const guardName =
  /(^|_)(backup|deletion_protection|protection|require_(?:approval|confirmation|mfa)|safe_mode|safety|sandbox|sandboxed|ssl_verify|termination_protection|tls_verify|validate|verify|verify_ssl|verify_tls)$/
const modeName = /(^|_)(behaviou?r|flag|method|mode|option|on_conflict|setting|strategy|switche?)s?$/
const forceValue =
  /^\s*-{0,2}(force|forced|forcibly|cascade|recursive|permanent|hard|bypass\w*)\b|^\s*-[a-z]*f[a-z]*\s*$/

/** Whether a param removes a safeguard. */
export function removesSafeguard(name: string, value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return false
  if (forceName.test(name)) return isTrue(value)
  if (guardName.test(name)) return value !== null && value !== '' && isFalse(value)
  return modeName.test(name) && typeof value === 'string' && forceValue.test(folded(value))
}

/** Names of params that say what to do. */
const operationName =
  /(^|_)(accion|acao|actie|action|aktion|azione|command|cmd|do|endpoint|function|http_method|instruction|intent|method|mutation|op|operation|request_method|task|tool|tool_name|verb)s?$/
const shortMax = 60

/**
 * Returns what of a param destroys something, or null: the name in `delete: true` and `löschen: ["a.txt"]`, and of the value what does it in
 * `operation: "delete_user"` and `command: "ls && rm -rf ~/old"`, "rm -rf". `raw`: the name as it was sent.
 */
export function destroying(raw: string, name: string, value: unknown): string | null {
  const words = name.split('_')
  const at = words.findIndex((word) => destroyingWords.has(word))
  if (
    at >= 0 &&
    !/^(after|at|before|by|count|date|days?|delay|in|key|location|marker|off|on|point|protection|time|zone)$/.test(
      words[at + 1] ?? '',
    )
  )
    return (typeof value === 'object' ? value !== null && Object.keys(value).length > 0 : !isFalse(value))
      ? raw
      : null
  if (typeof value !== 'string' || value.length > shortMax || !operationName.test(name)) return null
  if (!hasDestroyingWord(value)) return null
  for (const { 0: word, index } of value.matchAll(/[\p{L}\p{N}\p{M}]+/gu)) {
    if (!hasDestroyingWord(word)) continue
    const program = programOf(value.slice(index))
    return program.length < word.length ? word : program
  }
  return raw
}

const hasDestroyingWord = (text: string): boolean =>
  folded(text.replace(/([a-z])([A-Z])/g, '$1_$2'))
    .split(/[^a-z0-9]+/)
    .some((word) => destroyingWords.has(word))

/** Whether a param says that something else happens besides the action: `preview:email` with `send: true`. */
export const actsBesides = (name: string, value: unknown): boolean =>
  [outward, paying, wiring, hardToUndo].some((verbs) => verbs.has(name)) && isTrue(value)

/** Names of an amount and of nothing else. */
const amountName = /(^|_)(amount|bedrag|betrag|importe|importo|montant|valor)$/

/** Whether a param is an amount without a number: "half of it". */
export const isAmountInWords = (name: string, value: unknown): boolean =>
  amountName.test(name) && typeof value === 'string' && value.trim() !== '' && !/\p{Nd}/u.test(value)

const secretWords =
  /\b(api[ _-]?keys?|credentials?|id_(?:rsa|ed25519|ecdsa)|passphrase|passwor[dt]s?|private[ _-]?keys?|secrets?|tokens?)\b/

/** Whether a text asks for secrets: a search for "password". */
export const mentionsSecret = (text: string): boolean => secretWords.test(folded(text))

/** Whether a text is a method of HTTP that changes something. */
export const isChangingMethod = (name: string, text: string): boolean =>
  /(^|_)(method|verb)$/.test(name) && /^\s*(post|put|patch|delete)\s*$/i.test(text)

const accessName =
  /^as$|(^|_)(access|access_level|access_rights?|acl|authorities|berechtigung(?:en)?|entitlement|grant|permission|policy|privilege|right|role|rolle|roles?|scope|sharing|visibility)s?(_(level|name|type|value))?$/
const controlName =
  /^(?:is_|as_|make_|set_|grant_|give_)?(admin|administrator|owner|root|sudo|superuser|super_?admin)(?:_access|_rights?)?$/
const controlWords =
  'admin|administrator|admins|administratoraccess|owner|owners|root|superuser|superadmin|sudo|poweruser|poweruseraccess|maintainer|fullaccess|fullcontrol|write_all|public[-_]?read[-_]?write'
const controlValue = new RegExp(
  `(^|[^a-z])(?:${controlWords})([^a-z]|$)|\\*|(?:all|any|every|public)\\w*(?:edit|manage|write)`,
)
const fullAccess = /^(full|all|unlimited|unrestricted)[ _-]?(access|control|rights|permissions|privileges)?$/
const groupName = /(^|_)(account_type|group|member_type|user_type)s?$/
const controlGroup = new RegExp(`^(?:${controlWords}|wheel|docker)$`)
const statementName = /^(action|resource|principal|effect)s?$/

/** Whether a param is an access right, and whether it gives control. */
export function accessOf(name: string, value: unknown): 'control' | 'access' | null {
  if (controlName.test(name) && isTrue(value)) return 'control'
  if (statementName.test(name) && value === '*') return 'control'
  if (typeof value === 'object' || isFalse(value)) return null
  const text = folded(String(value)).trim()
  if (groupName.test(name)) return controlGroup.test(text) ? 'control' : null
  if (!accessName.test(name)) return null
  if (fullAccess.test(text) && !/scope|visibility|sharing/.test(name)) return 'control'
  return !/\s/.test(text) && controlValue.test(text) ? 'control' : 'access'
}

const argumentsName = /^(args|argv|arguments|flags|options|params|parameters)$/

function flat(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value === 'number') return [String(value)]
  return Array.isArray(value) ? value.flatMap(flat) : []
}

/** Returns the command that the members of an object give together, `{"cmd": "rm", "args": ["-r", "/"]}`, or that a list has word by word. */
export function commandLine(value: object): string {
  if (Array.isArray(value)) return value.length > 1 ? flat(value).join(' ') : ''
  const members = Object.entries(value)
  const programs = members.filter(
    ([key, inner]) =>
      programName.test(key.toLowerCase()) ||
      (typeof inner === 'string' && looksLikeCommand(key.toLowerCase(), '')),
  )
  const rest = members.filter(([key]) => argumentsName.test(key.toLowerCase()))
  if (programs.length === 0 || rest.length === 0) return ''
  return [...programs, ...rest].flatMap(([, inner]) => flat(inner)).join(' ')
}
const programName = /^(bin|binary|cmd|command|entrypoint|exe|executable|file|name|path|program|run|tool)$/

/** Names that a member of a named object has for the amount or text of the whole: `{"price": {"value": 50}}`. */
const genericName = /^(amount|gross|level|name|type|max|maximum|min|minimum|net|total|unit|units|value)$/

/** Returns the name to read a member by. */
export const nameInside = (name: string, key: string): string =>
  name !== '' && genericName.test(key.toLowerCase()) ? `${name}_${key}` : key

/** Which names hold prose: texts for people, which are read for secrets and hidden characters only. */
export interface Texts {
  isProse: (name: string) => boolean
  /** Titles and notes, in which a word for production says little. */
  isFree: (name: string) => boolean
  /** Whether the action runs what its texts say. */
  isRunning: boolean
}

const proseName = /(^|_)(message|subject|body|betreff|nachricht)(_(html|text|plain|markdown|md))?$/
const textName =
  /^(answer|caption|comment|content|description|details|headline|html|markdown|note|notes|question|reply|summary|text|title|topic)$/
const freeName =
  /(^|_)(caption|comment|description|headline|note|notes|q|question|search|summary|text|title|topic)$/

/** In an action that writes or sends texts, more names hold prose. In one that runs something, none does. */
export const textsOf = (kind: 'sending' | 'running' | 'other'): Texts => ({
  isProse: (name) =>
    kind !== 'running' && (proseName.test(name) || (kind === 'sending' && textName.test(name))),
  isFree: (name) => kind !== 'running' && freeName.test(name),
  isRunning: kind === 'running',
})
export const plainTexts = textsOf('other')
