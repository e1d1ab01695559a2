import { join } from 'node:path'
import { config } from '@/lib/kernel/config'
import { log } from '@/lib/kernel/log'
import { performInServer } from './perform'
import { socketPath } from './protocol'
import { listenForCommands } from './socket'

interface Stoppable {
  stop(): Promise<void>
}

/**
 * Lets the operator's command line run commands in this process, beside the worker. Stopping the result stops both. With PostgreSQL
 * there is no socket: commands connect to the database.
 */
export async function withOperator(worker: Stoppable): Promise<Stoppable> {
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
