/** The command that examines the service. */
import { letter } from '@/lib/infrastructure/mail/letter'
import { sendMail } from '@/lib/infrastructure/mail/send'
import { config } from '@/lib/kernel/config'
import { readClock } from '@/lib/kernel/runtime/clock'
import { email } from '@/lib/kernel/typed/email'
import { type Command, CommandRefused, parseOptions, UsageError, type Work } from './command'
import { examine, type Finding } from './doctor'

function readAddress(args: string[]): string | null {
  const { mail } = parseOptions('doctor', { args, options: { mail: { type: 'string' } } }).values
  if (mail === undefined) return null
  const parsed = email.safeParse(mail)
  if (!parsed.success) throw new UsageError('doctor: --mail needs an email address.')
  return parsed.data
}

/** Returns a mail that says what it is for. */
export const testMail = () =>
  letter({
    kind: 'test',
    subject: 'A test mail of Beak',
    parts: [
      `The host of ${config().baseUrl} has sent this mail to see whether mails arrive. You need not do anything.`,
    ],
  })

async function sendTest(to: string): Promise<Finding> {
  const { smtp } = config()
  try {
    await sendMail({ ...testMail(), to })
    return {
      state: 'ok',
      text:
        smtp === null
          ? 'the test mail is in the outbox folder'
          : `the mail server took a test mail to ${to}. See whether it arrives, and not as spam`,
    }
  } catch (error) {
    return { state: 'fault', text: `the test mail to ${to} was not taken: ${(error as Error).message}` }
  }
}

const counted = (count: number, word: string) => `${count} ${word}${count === 1 ? '' : 's'}`

function parse(args: string[]): Work {
  const address = readAddress(args)
  return async (print) => {
    const counts = { ok: 0, warning: 0, fault: 0 }
    const show = (part: string, { state, text }: Finding) => {
      counts[state]++
      print(`${state.padEnd(9)}${part.padEnd(15)}${text}`)
    }
    await examine(readClock(), show)
    if (address !== null) show('test mail', await sendTest(address))
    const result = `${counted(counts.fault, 'fault')}, ${counted(counts.warning, 'warning')}.`
    if (counts.fault > 0) throw new CommandRefused(result)
    return result
  }
}

export const doctorCommand: Command = {
  name: 'doctor',
  forms: [
    {
      args: '[--mail <email>]',
      summary: 'Examines the service and says for each part what it found and what to do.',
    },
  ],
  details:
    'It looks at the configuration, the database with its role, triggers and clock, Redis, the mail server,\nthe queue of messages, the disk, the transparency log, its witnesses and the pages. It changes nothing.\n--mail sends a test mail to that address. It exits with code 1 when something is a fault.',
  withoutKeys: true,
  reads: true,
  parse,
}
