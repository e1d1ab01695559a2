/** Starts a Redis for the tests, where the machine has one. */
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { freePort } from './free-port.mjs'
import { startGuarded, temporaryFolder } from './guarded.mjs'

const program = 'redis-server'

const settings = (port, folder, password) => `
bind 127.0.0.1
port ${port}
requirepass ${password}
dir "${folder}"
save ""
appendonly no
`

/** Whether something listens at the port. */
const answers = (port) =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })

/**
 * Starts Redis on a free port of this machine, with a random password and without stored data.
 *
 * @returns {Promise<{ url: string, stop(): Promise<void> }>}
 */
export async function startRedis() {
  if (spawnSync(program, ['--version'], { stdio: 'ignore' }).status !== 0)
    throw new Error(`there is no ${program}`)
  const folder = temporaryFolder('redis')
  const [port, password] = [await freePort(), randomBytes(12).toString('hex')]
  const file = join(folder, 'redis.conf')
  writeFileSync(file, settings(port, folder, password), { mode: 0o600 })
  const stop = await startGuarded({
    folder,
    user: null,
    command: [program, file],
    isReady: () => answers(port),
  })
  return { url: `redis://:${password}@127.0.0.1:${port}`, stop }
}
