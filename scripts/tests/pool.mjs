/**
 * Runs the stages of `npm test` in as many places as the machine has cores. A stage begins when a place is free and the stages that it
 * needs have ended.
 */

/**
 * @typedef {object} Outcome
 * @property {number} passed
 * @property {number} failed
 * @property {{ title: string, text: string }[]} [failures] printed again at the end of the run
 * @property {string[]} [leftOut] suites that could not run, each with its reason
 * @property {string[]} [ran] suites that ran, to know whether one that was left out ran elsewhere
 * @property {{ file: string, seconds: number }[]} [files]
 */

/**
 * @typedef {object} Stage
 * @property {string} name
 * @property {string} [after] the name of a stage that must have ended before
 * @property {number} [places] how many places the stage takes; 1 unless said. With 0 it runs beside the others and keeps none waiting
 * @property {() => Promise<Outcome>} run
 */

/**
 * Runs all stages, those first in the list first. A stage that throws has failed.
 *
 * @param {Stage[]} stages
 * @param {number} places
 * @returns {Promise<(Outcome & { name: string, seconds: number })[]>}
 */
export async function runStages(stages, places) {
  const waiting = [...stages]
  const unfinished = new Set(stages.map(({ name }) => name))
  const outcomes = []
  const running = new Set()
  let free = places

  const runOne = async (stage) => {
    const started = performance.now()
    const outcome = await stage.run().catch((error) => ({
      passed: 0,
      failed: 1,
      failures: [{ title: stage.name, text: error instanceof Error ? error.message : String(error) }],
    }))
    outcomes.push({ ...outcome, name: stage.name, seconds: (performance.now() - started) / 1000 })
    unfinished.delete(stage.name)
  }

  while (waiting.length > 0 || running.size > 0) {
    const isReady = ({ after }) => after === undefined || !unfinished.has(after)
    const index = waiting.findIndex((stage) => isReady(stage) && (stage.places ?? 1) <= free)
    if (index >= 0) {
      const [stage] = waiting.splice(index, 1)
      const taken = stage.places ?? 1
      free -= taken
      const promise = runOne(stage).finally(() => {
        running.delete(promise)
        free += taken
      })
      running.add(promise)
    } else if (running.size > 0) await Promise.race(running)
    else throw new Error(`Stages wait for each other: ${waiting.map(({ name }) => name).join(', ')}`)
  }
  return outcomes
}
