/**
 * Runs one server for the tests, as a process of its own: `node guard.mjs FOLDER UID PROGRAM ARGUMENTS…`. Ends the server and deletes its
 * folder when its own standard input ends. The input ends with the test run, however the run ends: also after Ctrl-C and SIGKILL.
 */
import { spawn } from 'node:child_process'
import { openSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const [folder = '', user = '', program = '', ...args] = process.argv.slice(2)

const log = openSync(join(folder, 'server.log'), 'a')
const identity = user === '' ? {} : { uid: Number(user), gid: Number(user) }
const server = spawn(program, args, { cwd: folder, stdio: ['ignore', log, log], ...identity })

// At once, without writing the data.
const stop = () => server.kill('SIGQUIT')
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop)
process.stdin.on('end', stop).resume()

const finish = () => {
  // Processes of a server may end a moment after the server, and write until then.
  rmSync(folder, { recursive: true, force: true, maxRetries: 20 })
  process.exit()
}
server.on('exit', finish)
server.on('error', finish)
