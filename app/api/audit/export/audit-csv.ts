/** The audit log as CSV for spreadsheets (RFC 4180). */
import { unparse } from 'papaparse'
import {
  type AuditEvent,
  eventSentence,
  plainText,
  type Reader,
  refusalReason,
} from '@/app/_web/event-sentence'

const columns: [string, (event: AuditEvent, reader: Reader) => string][] = [
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

/** Returns events as CSV, one line for each. `reader` is the owner of the log. */
export function auditCsv(events: AuditEvent[], reader: Reader): string {
  return csv([
    columns.map(([name]) => name),
    ...events.map((event) => columns.map(([, read]) => read(event, reader))),
  ])
}

/** Spreadsheets run a cell that begins like this (OWASP, CSV injection). Strangers can write into the log: a name, a User-Agent. */
const formula = /^[=+\-@\t\r\n＝＋－＠]/

/** Returns lines of cells as CSV. An apostrophe before each formula makes it text. */
export function csv(lines: string[][]): string {
  // Without a byte order mark, spreadsheets do not read UTF-8.
  return `\uFEFF${unparse(lines, { newline: '\r\n', escapeFormulae: formula })}\r\n`
}
