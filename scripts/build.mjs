/**
 * Builds the server and the pages, where their sources have changed, and first installs what is missing. `all` and `server` install
 * nothing. A process of its own, so that `npm test` works meanwhile.
 */
import { build, buildServer, generate, install, root, runScript } from './prepare.mjs'

await runScript(() => {
  const [, , what] = process.argv
  if (what === 'server') return buildServer()
  if (what !== 'all') {
    process.chdir(root)
    install()
    generate()
  }
  build()
})
