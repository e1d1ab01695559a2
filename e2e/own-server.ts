/** Tests that start servers of their own, and need no shared one and no browser. */
import { test as base, expect } from '@playwright/test'
import { type RunningServer, type StartOptions, startServer } from './server'

export interface OwnServer {
  /** Starts a server, which ends with the test. */
  start: (options?: StartOptions) => Promise<RunningServer>
}

export const test = base.extend<OwnServer>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from this pattern
  start: async ({}, use) => {
    const servers: RunningServer[] = []
    await use(async (options) => {
      const server = await startServer(options)
      servers.push(server)
      return server
    })
    for (const server of servers) await server.stop('SIGKILL')
  },
})

export { expect }
