/** `npm start`: installs and builds what is missing, then runs the service in this process. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, generate, install, root, runScript } from './prepare.mjs'

await runScript(async () => {
  process.chdir(root)
  install()
  generate()
  build()
  process.env.NODE_ENV = 'production'
  process.env.NEXT_TELEMETRY_DISABLED = '1'
  await import(pathToFileURL(join(root, 'build', 'server.mjs')).href)
})
