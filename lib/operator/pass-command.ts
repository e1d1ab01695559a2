/** The command that makes sign-up passes. */
import { readFileSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import Papa from 'papaparse'
import { type Invited, makeSignUpPasses, passSeconds } from '@/lib/domain/identity/create-by-host'
import { config } from '@/lib/kernel/config'
import { day, readClock } from '@/lib/kernel/runtime/clock'
import { email } from '@/lib/kernel/typed/email'
import { type Command, CommandRefused, parseOptions, UsageError, type Work } from './command'

const options = { name: { type: 'string' }, csv: { type: 'string' } } as const
const days = passSeconds / day
const peopleMax = 10_000

/** Returns a person with a normalized address. Throws `CommandRefused` with the place of the fault. */
function checked(address: string, name: string | undefined, place: string): Invited {
  const parsed = email.safeParse(address)
  if (!parsed.success) throw new CommandRefused(`${place}: "${address}" is not an email address.`)
  return { email: parsed.data, name: name?.trim() || undefined }
}

/** Reads a CSV file with the columns email and name, in any order. The name may be missing. */
function readPeople(path: string): Invited[] {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    throw new CommandRefused(`${path} cannot be read (${(error as NodeJS.ErrnoException).code}).`)
  }
  const { data, meta } = Papa.parse<Record<string, string>>(text.replace(/^\uFEFF/, ''), {
    header: true,
    skipEmptyLines: 'greedy',
    transformHeader: (header) => header.trim().toLowerCase(),
  })
  if (!meta.fields?.includes('email'))
    throw new CommandRefused(`${path} needs a first line with the columns email and name.`)
  if (data.length === 0 || data.length > peopleMax)
    throw new CommandRefused(`${path} needs 1 to ${peopleMax} people, a line for each.`)
  return data.map((row, index) => checked(row.email ?? '', row.name, `${path}, person ${index + 1}`))
}

/** Throws when a pass would not let anybody in, or is not needed. */
function requireUse(): void {
  const { mode } = config().signUp
  if (mode === 'open') throw new CommandRefused('SIGNUP is open: everybody can sign up without a pass.')
  if (mode === 'closed') throw new CommandRefused('SIGNUP is closed: a pass lets nobody in. Set SIGNUP=pass.')
}

function parse(args: string[]): Work {
  const {
    values: { name, csv },
    positionals: [address, ...others],
  } = parseOptions('pass', { args, options, allowPositionals: true })
  if (
    (address === undefined) === (csv === undefined) ||
    others.length > 0 ||
    (csv !== undefined && name !== undefined)
  )
    throw new UsageError('pass needs one email address, or --csv <file>.')
  if (csv !== undefined && !isAbsolute(csv))
    throw new UsageError('pass: --csv needs an absolute path, because the server may run in another folder.')
  return async (print) => {
    requireUse()
    if (address !== undefined) {
      const [link = ''] = await makeSignUpPasses([checked(address, name, 'pass')], readClock())
      return `${link}\nThe link works once, for ${days} days, and only with this address.`
    }
    const people = readPeople(csv ?? '')
    const links = await makeSignUpPasses(people, readClock())
    const rows = people.map((person, index) => ({ ...person, link: links[index] }))
    print(Papa.unparse(rows, { columns: ['email', 'name', 'link'], newline: '\n', escapeFormulae: true }))
    return `${links.length} links. Each works once, for ${days} days, and only with its address.`
  }
}

export const passCommand: Command = {
  name: 'pass',
  forms: [
    {
      args: '<email> [--name <name>]',
      summary: 'Makes a sign-up pass for one address and prints the link to the sign-up page.',
    },
    {
      args: '--csv <file>',
      summary:
        'Makes a sign-up pass for each line of a file with the columns email and name, and prints a CSV with the links.',
    },
  ],
  details:
    'Only where SIGNUP is pass or domains. A link works once, for 14 days, and only with its address. The\nperson still has to confirm the address with a mailed code. --csv needs an absolute path. When a line is\nwrong, no pass is made.',
  parse,
}
