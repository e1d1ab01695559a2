/** The command that checks all data for contradictions. */
import { checkData } from '@/lib/domain/integrity/check'
import { type Command, CommandRefused, withoutArguments } from './command'

const number = (count: number) => count.toLocaleString('en')

export const verifyDataCommand: Command = {
  name: 'verify-data',
  forms: [
    {
      args: '',
      summary: 'Reads all data and names the rows that contradict each other.',
    },
  ],
  details:
    'It checks that every audit log is a whole chain, that the transparency log gives its checkpoint, that what\nworks once was used once, that nothing which waits was lost, and that accounts, agents and certificates fit\ntogether. It changes nothing, and exits with code 1 when it finds something. With the embedded database,\nrequests wait meanwhile.',
  withoutKeys: true,
  reads: true,
  parse: withoutArguments('verify-data', async (print) => {
    const { events, entries, rules, contradictions } = await checkData()
    for (const { rule, rows, count } of contradictions) {
      print(`${rule}. ${number(count)} ${count === 1 ? 'does' : 'do'} not:`)
      for (const row of rows) print(`    ${row}`)
      if (count > rows.length) print('    …')
    }
    const read = `${number(events)} audit events, ${number(entries)} log entries, ${rules} rules`
    if (contradictions.length === 0) return `Nothing contradicts: ${read}.`
    throw new CommandRefused(
      `${contradictions.length} of ${rules} rules are broken. Stop changing the database by hand, keep a copy of it, and restore a backup from before: /docs/hosts/backup.`,
    )
  }),
}
