/** Prints what a run of the tests did. The last line says how many checks and tests passed and failed. */

const slowFiles = 10
/** A stack of a failed test may be long. */
const failureLines = 40

const seconds = (value) => `${value.toFixed(1).padStart(7)} s`

function printList(title, lines) {
  if (lines.length > 0) process.stdout.write(`\n${title}\n${lines.map((line) => `  ${line}\n`).join('')}`)
}

/** A suite that was left out on one database may have run on the other. */
function reallyLeftOut(outcomes) {
  const ran = new Set(outcomes.flatMap((outcome) => outcome.ran ?? []))
  const suites = new Set(outcomes.flatMap((outcome) => outcome.leftOut ?? []))
  return [...suites].filter((suite) => !ran.has(suite.replace(/ \([^()]*\)$/, '')))
}

function printFailures(outcomes) {
  for (const { title, text } of outcomes.flatMap(({ failures = [] }) => failures)) {
    const lines = text.trimEnd().split('\n').slice(0, failureLines)
    printList(`Failed: ${title}`, lines)
  }
}

function slowest(outcomes) {
  const files = outcomes.flatMap((outcome) => outcome.files ?? [])
  return files.sort((a, b) => b.seconds - a.seconds).slice(0, slowFiles)
}

/**
 * Prints the report. Returns the number of failures.
 *
 * @param {Awaited<ReturnType<typeof import('./pool.mjs').runStages>>} outcomes
 * @param {{ missing: string[], isSelection: boolean }} run `missing` says which servers there are not. Tests that a selection skips are
 *   not listed.
 */
export function printOutcomes(outcomes, { missing, isSelection }) {
  printFailures(outcomes)
  printList(
    'Stages',
    outcomes.map((outcome) => `${seconds(outcome.seconds)}  ${outcome.name}`),
  )
  printList(
    'Slowest files',
    slowest(outcomes).map((file) => `${seconds(file.seconds)}  ${file.file}`),
  )
  const skipped = isSelection ? [] : reallyLeftOut(outcomes)
  printList('Left out', skipped.length > 0 ? [...missing, ...skipped.sort()] : missing)
  const sum = (name) => outcomes.reduce((total, outcome) => total + outcome[name], 0)
  const [passed, failed] = [sum('passed'), sum('failed')]
  process.stdout.write(`\n${passed} passed, ${failed} failed\n`)
  return failed
}
