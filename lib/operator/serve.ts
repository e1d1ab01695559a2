import { join } from 'node:path'
import { config } from '@/lib/kernel/config'
import { log } from '@/lib/kernel/runtime/log'
import { socketPath } from '@/lib/kernel/runtime/operator-socket'
import { performInServer } from './perform'
import { listenForCommands } from './socket'

interface Stoppable {
  stop(): Promise<void>
}

/**
 * Listens for commands of the operator, which run in this process. Stopping the result stops the socket and the worker. With
 * PostgreSQL there is no socket, because commands connect to the database.
 */
export async function withOperatorSocket(worker: Stoppable): Promise<Stoppable> {
  const { databaseUrl, dataDir } = config()
  if (databaseUrl !== null) return worker
  const path = socketPath(dataDir)
  if (path === null)
    log().warn({ path: join(dataDir, 'operator.sock') }, 'no socket for commands of the operator')
  const commands = path === null ? null : await listenForCommands(path, performInServer)
  return {
    stop: async () => {
      await commands?.stop()
      await worker.stop()
    },
  }
}
