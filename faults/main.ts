/**
 * `npm run faults`: cuts the connections of the service, lets everything around it go wrong, and says what is wrong afterwards. Prints a seed,
 * with which `--seed` repeats the same choices. `--seconds` plays as many faults as fit. Ends with 0 when nothing is wrong.
 */
import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { runWithCleanup } from '@/bench/cleanup'
import { playCrashes } from './crashes'
import type { Play } from './play'
import { playRaces } from './races'
import { choicesOf } from './seed'
import { startService } from './start'
import { playStorm } from './storm'

function readOptions() {
  const { values } = parseArgs({
    options: { seed: { type: 'string' }, seconds: { type: 'string' }, only: { type: 'string' } },
  })
  const number = (text: string | undefined) => {
    if (text === undefined) return null
    if (!/^\d{1,9}$/.test(text)) throw new Error('--seed and --seconds take a whole number.')
    return Number(text)
  }
  return {
    seed: number(values.seed) ?? randomInt(1_000_000),
    seconds: number(values.seconds),
    only: values.only ?? '',
  }
}

/** A run with less time has no storm. */
const stormSeconds = 30

const print = (line: string) => void process.stdout.write(`${line}\n`)

async function main(): Promise<void> {
  const { seed, seconds, only } = readOptions()
  print(`seed ${seed}`)
  const proxy = await startService()
  const started = performance.now()
  const play: Play = {
    choices: choicesOf(seed),
    isThorough: seconds === null,
    isOver: () => seconds !== null && performance.now() > started + seconds * 1000,
    only,
    print,
  }
  const results = [await playRaces(proxy, play), await playCrashes(proxy, play)]
  // Last, because it sends mails to a server of its own.
  if (seconds === null || seconds >= stormSeconds) results.push(await playStorm(proxy, play))
  const played = results.reduce((sum, result) => sum + result.played, 0)
  const wrong = results.flatMap((result) => result.wrong)
  const took = Math.round((performance.now() - started) / 1000)
  for (const line of wrong) print(`wrong: ${line}`)
  print(
    `${played} faults, ${wrong.length} wrong, in ${took} s. Repeat with: npm run faults -- --seed ${seed}`,
  )
  if (wrong.length > 0) throw new Error('Something is wrong after a fault.')
}

await runWithCleanup(main)
