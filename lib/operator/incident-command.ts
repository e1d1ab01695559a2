/** The command for the incidents on the status page. */

import { z } from 'zod'
import {
  closeIncident,
  type Incident,
  listIncidents,
  openIncident,
  writeIncidentNote,
} from '@/lib/domain/status/history'
import { componentName } from '@/lib/domain/status/schema'
import { readClock } from '@/lib/kernel/runtime/clock'
import { operatorCommand } from '@/lib/kernel/service/release'
import { type Command, CommandRefused, UsageError, type Work } from './command'

const time = z.iso.datetime({ offset: true }).transform((text) => new Date(text))
const id = z.string().regex(/^INC-[0-9A-Z]{26}$/, 'must be the id of an incident, as incident list shows it')
const note = z
  .string()
  .trim()
  .min(1, 'the text is missing')
  .max(1000, 'the text has more than 1000 characters')
const part = z.union([z.literal('all'), componentName])
const condition = z.enum(['degraded', 'outage'])

const listed = 20
const usage = `See ${operatorCommand('help incident')}.`

function read<T>(schema: z.ZodType<T>, value: string | undefined, what: string): T {
  const result = schema.safeParse(value ?? '')
  if (result.success) return result.data
  throw new UsageError(`incident: ${what}: ${result.error.issues[0]?.message ?? 'not valid'}. ${usage}`)
}

/** Takes `--name <time>` from the arguments. Returns the other arguments and the time, or null without the option. */
function takeTime(args: string[], name: string): { rest: string[]; at: Date | null } {
  const place = args.indexOf(name)
  if (place < 0) return { rest: args, at: null }
  const at = read(time, args[place + 1], `${name} needs a time such as 2026-11-20T08:00:00Z`)
  if (at > readClock()) throw new UsageError(`incident: ${name} is in the future.`)
  return { rest: args.toSpliced(place, 2), at }
}

function line({ id, component, condition, byOperator, startedAt, endedAt, note }: Incident): string {
  const until = endedAt === null ? 'open' : `until ${endedAt.toISOString()}`
  const source = byOperator ? 'by the operator' : 'measured'
  const text = note === null ? '' : `\n    ${note}`
  return `${id}  ${component ?? 'all'}  ${condition}  ${startedAt.toISOString()} ${until}  ${source}${text}`
}

async function list(): Promise<string> {
  const incidents = await listIncidents(listed)
  return incidents.length === 0 ? 'There are no incidents.' : incidents.map(line).join('\n')
}

function parseOpen(args: string[]): Work {
  const { rest, at } = takeTime(args, '--from')
  const component = read(part, rest[0], 'the component')
  const given = {
    component: component === 'all' ? null : component,
    condition: read(condition, rest[1], 'the condition'),
    note: read(note, rest.slice(2).join(' '), 'the text'),
  }
  return async () => {
    const now = readClock()
    return `${await openIncident({ ...given, from: at ?? now }, now)} is open and on the status page.`
  }
}

function parseNote([given, ...words]: string[]): Work {
  const [incident, text] = [read(id, given, 'the id'), read(note, words.join(' '), 'the text')]
  return async () => {
    if (await writeIncidentNote(incident, text)) return `The text of ${incident} is on the status page.`
    throw new CommandRefused(`There is no incident ${incident}.`)
  }
}

function parseClose(args: string[]): Work {
  const { rest, at } = takeTime(args, '--at')
  const incident = read(id, rest[0], 'the id')
  if (rest.length > 1) throw new UsageError(`incident close takes one id. ${usage}`)
  return async () => {
    if (await closeIncident(incident, at ?? readClock())) return `${incident} is closed.`
    throw new CommandRefused(
      `No open incident of the operator has the id ${incident}, or it began later. A measured incident ends by itself.`,
    )
  }
}

function parse([form, ...args]: string[]): Work {
  switch (form) {
    case 'list':
      if (args.length > 0) throw new UsageError(`incident list takes no arguments. ${usage}`)
      return list
    case 'open':
      return parseOpen(args)
    case 'note':
      return parseNote(args)
    case 'close':
      return parseClose(args)
    default:
      throw new UsageError(`incident needs list, open, note or close. ${usage}`)
  }
}

export const incidentCommand: Command = {
  name: 'incident',
  forms: [
    { args: 'list', summary: 'Shows the newest incidents with their ids.' },
    {
      args: 'open <component> <condition> <text> [--from <time>]',
      summary: 'Opens an incident on the status page.',
    },
    { args: 'note <INC-…> <text>', summary: 'Writes or replaces the text of an incident.' },
    { args: 'close <INC-…> [--at <time>]', summary: 'Ends an incident that the operator opened.' },
  ],
  details:
    '<component> is database, outbox, redis or all. <condition> is degraded or outage. <text> is at most 1000\ncharacters and is public. <time> is in ISO 8601, for example 2026-11-20T08:00:00Z; without it the incident begins\nor ends now. The service also opens and ends incidents itself, from what it measures; these take a text, too.',
  withoutKeys: true,
  reads: ['list'],
  parse,
}
