/** Builds the server and the pages, where their sources have changed. A process of its own, so that `npm test` works meanwhile. */
import { build, buildServer, runScript } from './prepare.mjs'

await runScript(() => (process.argv[2] === 'server' ? buildServer() : build()))
