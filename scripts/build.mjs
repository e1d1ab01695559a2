/**
 * Builds the server and the pages, where their sources have changed, and first installs what is missing. `all`, `server` and `packages`
 * install nothing. A process of its own, so that `npm test` and the service work meanwhile.
 */
import { build, buildPackages, buildServer, generate, install, root, runScript } from './prepare.mjs'

await runScript(async () => {
  const [, , what] = process.argv
  if (what === 'server') return void (await buildServer())
  if (what === 'packages') return await buildPackages()
  if (what !== 'all') {
    process.chdir(root)
    await install()
    await generate()
  }
  await build()
})
