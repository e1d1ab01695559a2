/** `npm start`: installs and builds what is missing, then runs the service in this process. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { buildService, generate, install, root, runScript } from './prepare.mjs'

await runScript(async () => {
  process.chdir(root)
  await install({ development: false })
  await generate({ client: false })
  await buildService()
  process.env.NODE_ENV = 'production'
  process.env.NEXT_TELEMETRY_DISABLED = '1'
  await import(pathToFileURL(join(root, 'build', 'server.mjs')).href)
})
