/** The list of what operators did: which command, who, when, and whether it succeeded. */
import { db } from '@/lib/db/client'
import { readClock } from '@/lib/kernel/runtime/clock'
import { type Command, withoutArguments } from './command'

const argumentMax = 200

const hasEffect = ({ reads, opensDatabase }: Command, [first = '']: string[]) =>
  reads !== true && opensDatabase !== true && !reads?.includes(first)

/** Runs a command and records it, unless it only reads. It is recorded before it runs, so one that is killed is in the list too. */
export async function recorded<T>(
  command: Command,
  args: string[],
  by: string | null,
  work: () => Promise<T>,
): Promise<T> {
  if (!hasEffect(command, args)) return work()
  const words = [command.name, ...args.map((word) => word.slice(0, argumentMax))]
  const { id } = await db().operatorAction.create({
    data: { command: words.join(' '), by, startedAt: readClock() },
  })
  let succeeded = false
  try {
    const result = await work()
    succeeded = true
    return result
  } finally {
    await db().operatorAction.update({ where: { id }, data: { succeeded } })
  }
}

const listed = 50

async function listActions(): Promise<string> {
  const actions = await db().operatorAction.findMany({ orderBy: { id: 'desc' }, take: listed })
  if (actions.length === 0) return 'No command has changed anything in the last year.'
  return actions
    .map(({ command, by, startedAt, succeeded }) => {
      const result = succeeded === null ? 'not finished' : succeeded ? 'done' : 'refused'
      return `${startedAt.toISOString()}  ${(by ?? '-').padEnd(12)}  ${result.padEnd(12)}  ${command}`
    })
    .join('\n')
}

export const actionsCommand: Command = {
  name: 'actions',
  forms: [
    {
      args: '',
      summary: 'Shows the newest commands that operators ran to change something, and who ran them.',
    },
  ],
  details:
    'Each line has the time, the user of the operating system, the result, and the command. A command that\nonly shows something is not in the list. Lines are kept for a year.',
  withoutKeys: true,
  reads: true,
  parse: withoutArguments('actions', listActions),
}
