/**
 * Loaded into a server with `--import`: the first SIGUSR2 starts a CPU profile of the main thread, the second one writes it to the file
 * of `BENCH_PROFILE`. So a profile shows the load only, and not the start of the server.
 */
import { renameSync, writeFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { isMainThread } from 'node:worker_threads'

const file = process.env.BENCH_PROFILE

if (isMainThread && file) {
  const session = new Session()
  let isRunning = false
  process.on('SIGUSR2', async () => {
    if (isRunning) {
      const { profile } = await session.post('Profiler.stop')
      writeFileSync(`${file}.part`, JSON.stringify(profile))
      renameSync(`${file}.part`, file)
      return
    }
    isRunning = true
    session.connect()
    await session.post('Profiler.enable')
    await session.post('Profiler.start')
  })
}
