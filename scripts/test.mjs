/**
 * `npm test`: checks the code and the supply chain and runs every test, also on a bare machine. `npm test -- <paths>` runs only those
 * tests, `npm test -- --changed` those of changed files. `--slow` adds the slow proofs. The last line says how many checks and tests
 * passed and failed.
 */
import { availableParallelism } from 'node:os'
import { generate, install, root, runScript } from './prepare.mjs'
import { startServers } from './servers/start.mjs'
import { findChangedTests } from './tests/changed.mjs'
import { runStages } from './tests/pool.mjs'
import { printOutcomes } from './tests/print-outcomes.mjs'
import { selectTests } from './tests/select-tests.mjs'
import { allStages, selectedStages } from './tests/stages.mjs'

await runScript(async () => {
  process.chdir(root)
  const selection = selectTests(process.argv.slice(2))
  await install()
  await generate()
  const places = availableParallelism()
  const servers = startServers()
  const run = { servers, places }
  const stages = selection.isAll
    ? allStages(run, selection.isSlow)
    : selectedStages(run, selection.since === null ? selection : findChangedTests(selection))
  try {
    const outcomes = await runStages(stages, selection.isAll ? places : 1)
    const { missing } = await servers
    const failed = printOutcomes(outcomes, { missing, isSelection: !selection.isAll })
    if (failed > 0) process.exitCode = 1
  } finally {
    await (await servers).stop()
  }
})
