/** The part of docs/security.md that this program writes. */

import { readFileSync, writeFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { runWithCleanup } from '@/lab/bench/cleanup'
import { startHost } from './host/start'
import { makeWorld } from './people/world'
import { startPython } from './shops/python-process'
import { makeTable } from './table'

const path = 'docs/security.md'
const begin = '<!-- Written by npm run liar -- --write -->'
const end = '<!-- End of what npm run liar writes -->'

function parts(): [before: string, table: string, after: string] {
  const [before = '', rest = ''] = readFileSync(path, 'utf8').split(begin)
  const [table = '', after] = rest.split(end)
  if (after === undefined) throw new Error(`${path} has no place for the table: ${begin} and ${end}`)
  return [before, table.trim(), after]
}

function writeTable(table: string): void {
  const [before, , after] = parts()
  writeFileSync(path, `${before}${begin}\n${table}\n${end}${after}`)
}

/** Returns the lines that differ, or null when the document has exactly this table. */
function differences(table: string): string | null {
  const [, documented] = parts()
  if (documented === table) return null
  const [old, now] = [documented.split('\n'), table.split('\n')]
  return [
    ...old.filter((line) => !now.includes(line)).map((line) => `- ${line}`),
    ...now.filter((line) => !old.includes(line)).map((line) => `+ ${line}`),
  ].join('\n')
}

/**
 * The malicious host: plays each lie of docs/security.md against both clients, the command line and the pages, and prints who notices.
 * Ends with 0 when the table is as documented. `--write` writes the table into the document. `run.mjs` starts it.
 */

async function main([option, ...others]: string[]): Promise<void> {
  if (others.length > 0 || (option !== undefined && option !== '--write'))
    throw new Error('npm run liar takes no option but --write.')
  const table = await Promise.race([play(), tooLong()])
  process.stdout.write(`${table}\n`)
  if (option === '--write') return writeTable(table)
  const found = differences(table)
  if (found !== null) throw new Error(`The table is not as documented:\n${found}`)
}

async function play(): Promise<string> {
  const python = startPython()
  return makeTable(await makeWorld(await startHost(), python))
}

const mostMinutes = 10

async function tooLong(): Promise<never> {
  await wait(mostMinutes * 60_000, undefined, { ref: false })
  throw new Error(`The lies took more than ${mostMinutes} minutes.`)
}

await runWithCleanup(() => main(process.argv.slice(2)))
