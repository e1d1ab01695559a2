/** A real service over HTTP on the database of the tests. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll } from 'vitest'
import { serve } from '@/app/beak/_api/serve'
import { table } from '@/app/beak/_api/table'
import { nodeListener } from '@/lib/http/adapters'
import { config, useConfig } from '@/lib/kernel/config'

/** Serves the API for the tests of a file, without limits that they would reach. Returns a function for its address. */
export function startService(): () => string {
  const server = createServer(nodeListener(serve(table)))
  const before = config()
  beforeAll(async () => {
    const unlimited = { perMinute: 60_000, burst: 10_000 }
    const limits = Object.fromEntries(Object.keys(before.limits).map((group) => [group, unlimited]))
    useConfig({ limits: limits as typeof before.limits })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  })
  afterAll(() => {
    useConfig(before)
    server.close()
    server.closeAllConnections()
  })
  return () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
