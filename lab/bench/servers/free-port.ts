import { createServer } from 'node:net'
import { settings } from '../settings'

let next = settings.firstPort

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, () => server.close(() => resolve(true)))
  })
}

/** Returns the next free port, from BENCH_PORT on. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const port = next++
    if (await isFree(port)) return port
  }
  throw new Error(`All 100 ports from ${settings.firstPort} on are in use. Set BENCH_PORT.`)
}
