/** Turns events of the audit log into sentences: "You approved send:mail for Scout". */
import type { ResponseOf } from '@/app/beak/_api/lines'
import { type EventKind, eventKinds } from '@/lib/infrastructure/events/kinds'
import { type FailureName, failureTable } from '@/lib/kernel/failures'
import { listWithAnd } from '@/lib/kernel/text/list-words'
import { isolated } from '@/lib/kernel/text/person-name'
import { formerFailures } from './former-failures'

/** An event as `GET /beak/audit` returns it. */
export type AuditEvent = ResponseOf<'GET /beak/audit'>['items'][number]

/** A part of a sentence: plain text, the name of a duckling, agent or thing, or code. */
export type Piece = string | { name: string } | { code: string }

export interface Reader {
  /** The id of the owner of the log, who is "you" in its sentences. */
  id: string
  /** Names of the ducklings and agents in the log, by id. */
  names: Record<string, string>
}

const purposes: Record<string, string> = {
  signup: 'to confirm the email address',
  verify_email: 'to confirm the email address',
  email_change: 'to change the email address',
  signin: 'to sign in',
  phone: 'to confirm the phone',
  register: 'to add it',
  elevate: 'to reach T3',
  approve: 'to approve a request',
  reject: 'to reject a request',
  confirm: 'to confirm the session',
}
const methods: Record<string, string> = {
  otp: 'a code',
  pwd: 'a password',
  pop: 'a passkey',
  device: 'the approval of another device',
  link: 'a link of the host',
}
/** The method of a refused sign-in. */
const triedWith: Record<string, string> = { signin: ' with a code', password: ' with a password' }
const causes: Record<string, string> = {
  wrong_secret: 'its secret is wrong',
  revoked: 'it is revoked',
  expired: 'it has expired',
  query_key_off: 'it was sent in a URL, which you have switched off',
  query_key_at_bond: 'it was sent in a URL, but bonding needs it in a header',
  other_agent: 'it belongs to another agent',
}
const reasons: Record<string, string> = {
  gone: 'the receiver answered 410 Gone',
  failing: 'deliveries failed for 120 hours',
  account_closed: 'the account was closed',
  email_restored: 'the earlier email address was restored',
}
const fields: Record<string, string> = {
  bio: 'the bio',
  directory_visible: 'the directory listing',
  mail_reminders: 'the mail reminders',
  mail_requests: 'which requests are mailed',
  min_peck_tier: 'the minimum tier for requests',
  quiet_hours: 'the quiet hours',
  require_passkey_for_pecks: 'the passkey requirement for approvals',
  time_zone: 'the time zone',
}

function several(count: number, one: string): string {
  return count === 1 ? `a ${one}` : `${count} ${one}s`
}

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : []
}

/** Returns the name of a duckling or agent. The reader is "you". */
function nameOf(id: string | null | undefined, reader: Reader, isFirst = false): Piece {
  if (!id) return isFirst ? 'Somebody' : 'somebody'
  if (id === reader.id) return isFirst ? 'You' : 'you'
  return { name: reader.names[id] ?? id }
}

function actor({ actor: { type, id } }: AuditEvent, reader: Reader): Piece {
  if (type === 'system') return id === 'host' ? 'The host' : 'Beak'
  return nameOf(id, reader, true)
}

/** Returns the text for a word in braces. */
function fact(word: string, event: AuditEvent, reader: Reader): Piece {
  const { metadata, targets } = event
  const targeted = (type: string) => targets.find((target) => target.type === type)?.id
  const count = (type: string) => targets.filter((target) => target.type === type).length
  const text = typeof metadata[word] === 'string' ? metadata[word] : ''
  switch (word) {
    case 'action':
      return { code: text }
    case 'asker':
      return nameOf(text, reader)
    case 'Asker':
      return nameOf(typeof metadata.asker === 'string' ? metadata.asker : null, reader, true)
    case 'target':
      return nameOf(targeted('duckling'), reader)
    case 'agent':
      return { name: agentName(event, reader, targeted('agent')) }
    case 'field':
      return metadata.field === 'full_name' ? 'full name' : 'name'
    case 'from':
    case 'to':
      return metadata[word] === null ? '(none)' : { name: text }
    case 'purpose':
      return purposes[text] ?? ''
    case 'how':
      return triedWith[typeof metadata.purpose === 'string' ? metadata.purpose : ''] ?? ''
    case 'channel':
      return text === 'sms' ? 'SMS' : 'email'
    case 'methods':
      return strings(metadata.amr)
        .flatMap((method) => methods[method] ?? [])
        .map((method) => ` with ${method}`)
        .join('')
    case 'fields':
      return (
        listWithAnd(strings(metadata.fields).map((field) => fields[field] ?? field)) ||
        'the limits of the account'
      )
    case 'sessions':
      return several(count('session'), 'session')
    case 'why':
      return metadata.reason === 'signing_key_distrusted'
        ? ', because the key that signed its token may have been stolen'
        : ''
    case 'passkey':
      return metadata.name === undefined
        ? several(count('passkey'), 'passkey')
        : { name: String(metadata.name) }
    case 'webhooks':
      return several(count('webhook'), 'webhook')
    case 'delivered':
      return metadata.delivered === true ? 'it succeeded' : 'it failed'
    case 'times':
      return Number(metadata.count ?? 1) > 1 ? ` ${metadata.count} times` : ''
    case 'cause':
      return causes[text] ?? 'it was rejected'
    case 'stated':
      return text === '' ? '' : `: ${text}`
    case 'reason':
      return reasons[text] ?? text
    default:
      return { name: text }
  }
}

function agentName({ metadata }: AuditEvent, { names }: Reader, id: string | undefined): string {
  const { agent_id: denied, agent_name: given } = metadata
  const known = id ?? (typeof denied === 'string' ? denied : undefined)
  return names[known ?? ''] ?? (typeof given === 'string' ? given : (known ?? 'an agent'))
}

function fill(words: string, event: AuditEvent, reader: Reader): Piece[] {
  const pieces = words.split(/\{(\w+)\}/).map((part, n) => (n % 2 === 0 ? part : fact(part, event, reader)))
  return pieces.filter((piece) => piece !== '')
}

/** Returns the sentence without its full stop. An unknown kind, written by a later version, is shown by its name. */
export function eventSentence(event: AuditEvent, reader: Reader): Piece[] {
  const words = eventKinds[event.action as EventKind]
  const subject = actor(event, reader)
  if (!words) return [subject, ': ', { code: event.action }]
  if (event.outcome === 'denied' && words.tried)
    return [subject, ' tried to ', ...fill(words.tried, event, reader)]
  if (words.whole) return fill(words.whole, event, reader)
  return [subject, ' ', ...fill(words.did ?? '', event, reader)]
}

/** Returns why an attempt was refused, from the failure table. Null when the event is no refusal or its reason is unknown. */
export function refusalReason({ outcome, metadata: { failure } }: AuditEvent): string | null {
  if (outcome !== 'denied' || typeof failure !== 'string') return null
  const name = Object.hasOwn(formerFailures, failure) ? formerFailures[failure] : failure
  return Object.hasOwn(failureTable, name ?? '') ? failureTable[name as FailureName].detail : null
}

/** Returns a sentence as plain text. */
export function plainText(pieces: Piece[]): string {
  return pieces
    .map((piece) => (typeof piece === 'string' ? piece : 'name' in piece ? isolated(piece.name) : piece.code))
    .join('')
    .replace(/\s+/g, ' ')
    .trim()
}
