/** Turns events of the audit log into sentences: "You approved “Send an email” for “Scout”". */

import { isolated } from '@beak/decision/person-name'
import { quotedName } from '@beak/decision/quote'
import { testAction } from '@beak/decision/test-request'
import type { ResponseOf } from '@/app/beak/_api/lines'
import { type EventKind, eventKinds } from '@/lib/infrastructure/events/kinds'
import type { Kind } from '@/lib/infrastructure/events/kinds/kind'
import { m } from '@/lib/kernel/messages'
import { type FailureName, failureTable } from '@/lib/kernel/request/failures'
import { listWithAnd } from '@/lib/kernel/text/list-words'
import { isKnownAction, quotedAction } from '@/lib/kernel/text/shown-action'
import { tierWords } from '@/lib/kernel/text/tier-words'
import { formerFailures } from './former-failures'

/** An event as `GET /beak/audit` returns it. */
export type AuditEvent = ResponseOf<'GET /beak/audit'>['items'][number]

/** A part of a sentence: plain text, the name of a duckling, agent or thing, or code. `mark`: who it is. `isWords`: words of the service for it. */
export type Piece = string | { name: string; mark?: string; isWords?: boolean } | { code: string }

export interface Reader {
  /** The id of the owner of the log, who is "you" in its sentences. */
  id: string
  /** Names of the ducklings and agents in the log, by id. */
  names: Record<string, string>
  /** What tells other people and their agents from others with the same name, by id. */
  marks?: Record<string, string>
}

const purposes: Record<string, () => string> = {
  signup: m.events_purpose_signup,
  verify_email: m.events_purpose_signup,
  email_change: m.events_purpose_email_change,
  signin: m.events_purpose_signin,
  phone: m.events_purpose_phone,
  register: m.events_purpose_register,
  elevate: m.events_purpose_elevate,
  approve: m.events_purpose_approve,
  reject: m.events_purpose_reject,
  confirm: m.events_purpose_confirm,
  endorse: m.events_purpose_endorse,
  rule: m.events_purpose_rule,
}
const methods: Record<string, () => string> = {
  otp: m.events_method_otp,
  pwd: m.events_method_pwd,
  pop: m.events_method_pop,
  device: m.events_method_device,
  link: m.events_method_link,
}
/** The method of a refused sign-in. */
const triedWith: Record<string, () => string> = { signin: m.events_method_otp, password: m.events_method_pwd }
const causes: Record<string, () => string> = {
  wrong_secret: m.events_cause_wrong_secret,
  revoked: m.events_cause_revoked,
  expired: m.events_cause_expired,
  query_key_off: m.events_cause_query_key_off,
  query_key_at_bond: m.events_cause_query_key_at_bond,
  other_agent: m.events_cause_other_agent,
  no_session: m.events_cause_no_session,
  unguarded: m.events_cause_unguarded,
  disconnected: m.events_cause_disconnected,
  weakened: m.events_cause_weakened,
}
const reasons: Record<string, () => string> = {
  given_back: m.events_reason_given_back,
  gone: m.events_reason_gone,
  failing: m.events_reason_failing,
  account_closed: m.events_reason_account_closed,
  email_restored: m.events_reason_email_restored,
  expired: m.events_reason_expired,
  agent_retired: m.events_reason_agent_retired,
  asker_blocked: m.events_reason_asker_blocked,
  reclaimed: m.events_reason_reclaimed,
  passkey_removed: m.events_reason_passkey_removed,
  tier_lowered: m.events_reason_tier_lowered,
  token_reused: m.events_reason_token_reused,
}
const fields: Record<string, () => string> = {
  bio: m.events_field_bio,
  builder: m.events_field_builder,
  directory_visible: m.events_field_directory_visible,
  findable_by_email: m.events_field_findable_by_email,
  gathered: m.events_field_gathered,
  mail_details: m.events_field_mail_details,
  mail_reminders: m.events_field_mail_reminders,
  mail_requests: m.events_field_mail_requests,
  mail_rules: m.events_field_mail_rules,
  min_peck_tier: m.events_field_min_peck_tier,
  quiet_hours: m.events_field_quiet_hours,
  require_passkey_for_pecks: m.events_field_require_passkey_for_pecks,
  time_zone: m.events_field_time_zone,
}

/** Returns ` with a code`: the words that the name of a method adds to a sentence. */
function withMethod(method: string | undefined): string {
  return method === undefined ? '' : ` ${m.events_with_method({ method })}`
}

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : []
}

/** Returns the name of a duckling, or the quoted name of an agent. The reader is "you". An id without a name stays as it is. */
function nameOf(id: string | null | undefined, reader: Reader, isFirst = false): Piece {
  if (!id) return isFirst ? m.events_somebody_first() : m.events_somebody()
  if (id === reader.id) return isFirst ? m.events_you_first() : m.events_you()
  const mark = reader.marks?.[id]
  const name = reader.names[id]
  return {
    name: name === undefined ? id : id.startsWith('AGT-') ? quotedName(name) : name,
    ...(mark === undefined ? {} : { mark }),
  }
}

function actor({ actor: { type, id }, targets }: AuditEvent, reader: Reader): Piece {
  if (type !== 'system') return nameOf(id, reader, true)
  if (id === 'host') return m.events_the_host()
  if (!id?.startsWith('RULE-')) return 'Beak'
  const owner = targets.find((target) => target.type === 'duckling')?.id
  return owner === reader.id ? m.events_your_rule() : m.events_a_rule_first()
}

/** Returns the text for a part of a sentence. */
function fact(word: string, event: AuditEvent, reader: Reader): Piece {
  const { metadata, targets } = event
  const targeted = (type: string) => targets.find((target) => target.type === type)?.id
  const count = (type: string) => targets.filter((target) => target.type === type).length
  const text = typeof metadata[word] === 'string' ? metadata[word] : ''
  switch (word) {
    case 'actor':
      return actor(event, reader)
    case 'action':
      return { name: quotedAction(text, 'the'), isWords: isKnownAction(text) }
    case 'asker':
      return nameOf(text, reader)
    case 'Asker':
      return nameOf(typeof metadata.asker === 'string' ? metadata.asker : null, reader, true)
    case 'target':
      return nameOf(targeted('duckling'), reader)
    case 'agent':
      return { name: agentName(event, reader, targeted('agent')) }
    case 'computer':
      return text === '' ? m.events_a_computer() : { name: quotedName(text) }
    case 'device':
    case 'name':
      return text === '' ? '' : { name: quotedName(text) }
    case 'field':
      return metadata.field === 'full_name' ? m.events_full_name() : m.events_name()
    case 'tier':
      return tierWords(text)
    case 'from':
    case 'to':
      if (event.action.startsWith('trust.')) return tierWords(text)
      return metadata[word] === null ? m.events_none() : { name: quotedName(text) }
    case 'purpose':
      return purposes[text]?.() ?? ''
    case 'how':
      return withMethod(triedWith[typeof metadata.purpose === 'string' ? metadata.purpose : '']?.())
    case 'channel':
      return text === 'sms' ? m.events_sms() : m.events_email()
    case 'methods':
      return strings(metadata.amr)
        .map((method) => withMethod(methods[method]?.()))
        .join('')
    case 'fields':
      return (
        listWithAnd(strings(metadata.fields).map((field) => fields[field]?.() ?? field)) ||
        m.events_account_limits()
      )
    case 'sessions':
      return m.events_sessions({ count: count('session') })
    case 'why':
      if (metadata.reason === 'alarm') return ` ${m.events_with_alarm_link()}`
      return metadata.reason === 'signing_key_distrusted' ? `, ${m.events_key_stolen()}` : ''
    case 'passkey':
      return metadata.name === undefined
        ? m.events_passkeys({ count: count('passkey') })
        : { name: quotedName(String(metadata.name)) }
    case 'webhooks':
      return m.events_webhooks({ count: count('webhook') })
    case 'delivered':
      return metadata.delivered === true ? m.events_it_succeeded() : m.events_it_failed()
    case 'times':
      return Number(metadata.count ?? 1) > 1 ? ` ${m.events_times({ count: Number(metadata.count) })}` : ''
    case 'cause':
      return causes[text]?.() ?? m.events_it_was_rejected()
    case 'stated':
      return text === '' ? '' : `: ${text}`
    case 'rule':
      if (metadata.budget === true) return m.events_a_budget_of_rules()
      return metadata.all === true ? m.events_all_rules() : m.events_a_rule()
    case 'because':
      return typeof metadata.reason === 'string' ? `: ${reasons[metadata.reason]?.() ?? metadata.reason}` : ''
    case 'values':
      return text === '' ? '' : text === 'shown' ? m.events_with_values() : m.events_without_values()
    case 'reason':
      return reasons[text]?.() ?? text
    default:
      return { name: text }
  }
}

function agentName({ metadata }: AuditEvent, { names }: Reader, id: string | undefined): string {
  const { agent_id: denied, agent_name: given } = metadata
  const known = id ?? (typeof denied === 'string' ? denied : undefined)
  const name = names[known ?? ''] ?? (typeof given === 'string' ? given : undefined)
  return name === undefined ? (known ?? m.events_an_agent()) : quotedName(name)
}

/** Returns the sentence without its full stop. An unknown kind, written by a later version, is shown by its name. */
export function eventSentence(event: AuditEvent, reader: Reader): Piece[] {
  const words = eventKinds[event.action as EventKind]
  if (!words) return [actor(event, reader), ': ', { code: event.action }]
  const sentence = sentenceOf(event, words)
  if (sentence === undefined) return [actor(event, reader)]
  return (sentence.parts?.({}) ?? [{ type: 'text', value: sentence() }])
    .map((part) => (part.type === 'text' ? part.value : fact(part.name, event, reader)))
    .filter((piece) => piece !== '')
}

function sentenceOf({ action, outcome, metadata }: AuditEvent, { did, tried, whole }: Kind) {
  if (outcome === 'denied' && tried) return tried
  // Beak sent it in the name of the agent, because the owner asked.
  if (action === 'peck.sent' && metadata.action === testAction) return m.events_peck_sent_test
  if (action === 'peck.revoked' && metadata.cause === 'undone') return m.events_peck_revoked_undone
  return whole ?? did
}

/** Returns why an attempt was refused, from the failure table. Null when the event is no refusal or its reason is unknown. */
export function refusalReason({ outcome, metadata: { failure } }: AuditEvent): string | null {
  if (outcome !== 'denied' || typeof failure !== 'string') return null
  const name = Object.hasOwn(formerFailures, failure) ? formerFailures[failure] : failure
  return Object.hasOwn(failureTable, name ?? '') ? failureTable[name as FailureName].detail : null
}

const nameText = ({ name, mark }: { name: string; mark?: string }): string =>
  mark === undefined ? isolated(name) : `${isolated(name)} (${isolated(mark)})`

/** Returns a sentence as plain text. */
export function plainText(pieces: Piece[]): string {
  return pieces
    .map((piece) => (typeof piece === 'string' ? piece : 'name' in piece ? nameText(piece) : piece.code))
    .join('')
    .replace(/\s+/g, ' ')
    .trim()
}
