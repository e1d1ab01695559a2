/** `npm run check`: types, lint, unused code and the architecture. The last line says `check: passed` or names what failed. */
import { runCodeChecks } from './code-checks.mjs'
import { generate, install, root, runScript } from './prepare.mjs'

await runScript(async () => {
  process.chdir(root)
  await install()
  await generate()
  const failed = (await runCodeChecks()).filter(({ passed }) => !passed).map(({ name }) => name)
  process.stdout.write(failed.length === 0 ? '\ncheck: passed\n' : `\ncheck: failed (${failed.join(', ')})\n`)
  if (failed.length > 0) process.exitCode = 1
})
