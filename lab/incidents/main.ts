/**
 * `npm run incidents`: prints which call of each incident the judge stops and why, and the score of hostile lines and of ordinary work. Ends
 * with 1 when something is wrong. `--json` prints data, and `--write` writes the table of the documentation.
 */

import { parseArgs } from 'node:util'
import { faultsOf, lineOf, type Played, play, whyOf } from './play'
import { scoreOf, writePage } from './report'

const flag = { type: 'boolean', default: false } as const
const { values } = parseArgs({ options: { json: flag, write: flag } })
const result = await play()
const faults = faultsOf(result)
const { incidents, ordinary } = result

/** Returns what a person reads about a stopped call. */
const told = (one: Played) => ({ call: lineOf(one), why: whyOf(one) })

if (values.json) {
  const stopped = incidents.map(({ incident: { id, title, date, link }, stopped: calls }) => ({
    ...{ id, title, date, link },
    stopped: calls.map(told),
  }))
  console.log(JSON.stringify({ faults, incidents: stopped, ordinary: ordinary.asked.map(told) }, null, 2))
} else {
  for (const { incident, stopped } of incidents) {
    console.log(`\n${incident.date}  ${incident.title} (${incident.product})`)
    for (const { call, why } of stopped.map(told)) console.log(`  ${call}\n    ${why}`)
  }
  console.log('\nOrdinary calls that ask')
  for (const one of ordinary.asked)
    console.log(
      `  ${lineOf(one)}\n    ${whyOf(one)}${one.rightly === null ? '' : ` Expected: ${one.rightly}.`}`,
    )
  console.log('\nincidents stopped, hostile lines stopped, harmless lines passed, ordinary calls asked')
  console.log(scoreOf(result))
  for (const fault of faults) console.log(`wrong: ${fault}`)
}
if (values.write) writePage(result)
process.exitCode = faults.length === 0 ? 0 : 1
