/** The audit log as a table for spreadsheets (RFC 4180). */
import type { AuditEventOutput } from '@/lib/domain/audit/schema'
import { eventSentence, plainText, type Reader, refusalReason } from './event-sentence'

/**
 * One cell. A spreadsheet runs what begins like a formula, and others can put such text into a log (a name, a User-Agent): an
 * apostrophe in front keeps it text (OWASP, CSV injection).
 */
export function csvCell(value: string): string {
  const text = /^[=+\-@\t\r\n]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

const columns: [string, (event: AuditEventOutput, reader: Reader) => string][] = [
  ['seq', ({ seq }) => String(seq)],
  ['occurred_at', ({ occurred_at }) => occurred_at],
  ['what', (event, reader) => plainText(eventSentence(event, reader))],
  ['outcome', ({ outcome }) => outcome],
  ['refused_because', (event) => refusalReason(event) ?? ''],
  ['action', ({ action }) => action],
  ['actor_type', ({ actor }) => actor.type],
  ['actor_id', ({ actor }) => actor.id ?? ''],
  ['targets', ({ targets }) => targets.map(({ id }) => id).join(' ')],
  ['ip', ({ context }) => context.ip ?? ''],
  ['user_agent', ({ context }) => context.user_agent ?? ''],
  ['request_id', ({ context }) => context.request_id ?? ''],
  ['metadata', ({ metadata }) => JSON.stringify(metadata)],
  ['event_id', ({ event_id }) => event_id],
  ['prev_hash', ({ prev_hash }) => prev_hash],
  ['hash', ({ hash }) => hash],
]

/** Events as CSV, with a byte order mark, without which spreadsheets do not take it for UTF-8. */
export function auditCsv(events: AuditEventOutput[], reader: Reader): string {
  const lines = [
    columns.map(([name]) => name),
    ...events.map((event) => columns.map(([, read]) => csvCell(read(event, reader)))),
  ]
  return `\uFEFF${lines.map((cells) => `${cells.join(',')}\r\n`).join('')}`
}
