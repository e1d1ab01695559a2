/** Another instance that serves the API without a worker, for tests with several instances. Prints its port. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { openDatabase } from '@/lib/db/client'
import { nodeListener } from '@/lib/http/adapters'
import { startSignals } from '@/lib/infrastructure/events/signals'
import { prepareKeys } from '@/lib/infrastructure/keys/signing-keys'
import { serve } from './serve'
import { table } from './table'

await openDatabase()
await prepareKeys()
startSignals()
const server = createServer(nodeListener(serve(table))).listen(0, '127.0.0.1')
await once(server, 'listening')
process.stdout.write(`${(server.address() as { port: number }).port}\n`)
