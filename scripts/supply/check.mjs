/** `npm run check:supply`: runs the supply chain checks, or only those that the arguments name. */
import { install, root, runScript } from '../prepare.mjs'
import { runSupplyChecks } from './checks.mjs'

await runScript(async () => {
  process.chdir(root)
  await install()
  const passed = await runSupplyChecks(process.argv.slice(2))
  if (passed.includes(false)) process.exitCode = 1
})
