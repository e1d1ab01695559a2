/**
 * The malicious host: plays each lie of docs/security.md against both clients, the command line and the pages, and prints who notices.
 * Ends with 0 when the table is as documented. `--write` writes the table into the document. `run.mjs` starts it.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { runWithCleanup } from '@/bench/cleanup'
import { differences, writeTable } from './document'
import { startHost } from './host/start'
import { makeCast } from './people/cast'
import { startPython } from './shops/python-process'
import { makeTable } from './table'

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
  return makeTable(await makeCast(await startHost(), python))
}

const mostMinutes = 10

async function tooLong(): Promise<never> {
  await wait(mostMinutes * 60_000, undefined, { ref: false })
  throw new Error(`The lies took more than ${mostMinutes} minutes.`)
}

await runWithCleanup(() => main(process.argv.slice(2)))
