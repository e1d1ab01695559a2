/** What `npm run incidents` writes into the documents: the table of the incidents and the score. */

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { lineOf, type Result, whyOf } from './play'

export const page = join(import.meta.dirname, '../../docs/pages/reference/incidents.md')
const begin = '<!-- Written by npm run incidents -- --write -->'
const end = '<!-- End of what npm run incidents writes -->'

const row = (cells: string[]) => `| ${cells.join(' | ')} |`

/** Writes a command as code in a cell of a table. */
function code(text: string): string {
  const fence = text.includes('`') ? '``' : '`'
  return `${fence}${text.replaceAll('|', '\\|')}${fence}`
}

const isStopped = ({ missed }: Result['incidents'][number]) => missed.length === 0

/** Returns the score as a row of a table: incidents stopped, hostile lines stopped, harmless ones passed, ordinary calls asked. */
export function scoreOf({ incidents, hostile, harmless, ordinary }: Result): string {
  const asked = ordinary.asked.length
  return row([
    `${incidents.filter(isStopped).length} of ${incidents.length}`,
    `${hostile.lines - hostile.missed.length} of ${hostile.lines}`,
    `${harmless.lines - harmless.asked.length} of ${harmless.lines}`,
    `${asked} of ${ordinary.calls} (${((asked / ordinary.calls) * 100).toFixed(1)} %)`,
  ])
}

/** Returns the part of the page that `--write` writes. */
export function tableOf(result: Result): string {
  return [
    row(['Incidents stopped', 'Hostile lines stopped', 'Harmless lines passed', 'Ordinary calls asked']),
    row(['---', '---', '---', '---']),
    scoreOf(result),
    '',
    row(['When, agent', 'What happened', 'Beak asks before']),
    row(['---', '---', '---']),
    ...result.incidents.map(({ incident: { date, product, title, link, facts }, stopped }) =>
      row([
        `${date}, ${product}`,
        `[${title}](${link}). ${facts}`,
        stopped.map((one) => `${code(lineOf(one, 80))}: ${whyOf(one)}`).join('<br>'),
      ]),
    ),
  ].join('\n')
}

/** Returns the page with a new table. Throws when the page has lost the comments around the table. */
export function pageWith(table: string): string {
  const text = readFileSync(page, 'utf8')
  const [before, after] = [text.indexOf(begin), text.indexOf(end)]
  if (before < 0 || after < before) throw new Error(`${page} has no comments around the table.`)
  return `${text.slice(0, before)}${begin}\n\n${table}\n\n${text.slice(after)}`
}

/** Writes the table into the page. */
export function writePage(result: Result): void {
  writeFileSync(page, pageWith(tableOf(result)))
}
