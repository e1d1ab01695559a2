/** The part of docs/security.md that this program writes. */
import { readFileSync, writeFileSync } from 'node:fs'

const path = 'docs/security.md'
const begin = '<!-- Written by npm run liar -- --write -->'
const end = '<!-- End of what npm run liar writes -->'

function parts(): [before: string, table: string, after: string] {
  const [before = '', rest = ''] = readFileSync(path, 'utf8').split(begin)
  const [table = '', after] = rest.split(end)
  if (after === undefined) throw new Error(`${path} has no place for the table: ${begin} and ${end}`)
  return [before, table.trim(), after]
}

export function writeTable(table: string): void {
  const [before, , after] = parts()
  writeFileSync(path, `${before}${begin}\n${table}\n${end}${after}`)
}

/** Returns the lines that differ, or null when the document has exactly this table. */
export function differences(table: string): string | null {
  const [, documented] = parts()
  if (documented === table) return null
  const [old, now] = [documented.split('\n'), table.split('\n')]
  return [
    ...old.filter((line) => !now.includes(line)).map((line) => `- ${line}`),
    ...now.filter((line) => !old.includes(line)).map((line) => `+ ${line}`),
  ].join('\n')
}
