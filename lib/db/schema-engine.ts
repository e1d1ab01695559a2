/** Runs Prisma's schema engine in a thread that ends with its job (`schema-engine-thread.mjs`), on connections of this thread. */
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import {
  isDriverAdapterError,
  type SqlDriverAdapter,
  type SqlMigrationAwareDriverAdapterFactory,
} from '@prisma/driver-adapter-utils'

export type Adapter = SqlMigrationAwareDriverAdapterFactory

export interface EngineJob {
  method: 'applyMigrations' | 'diff'
  params: object
  /** The schemas of Prisma, as pairs of path and text. */
  datamodels: [string, string][]
}

interface Call {
  call: number
  /** Null for a call of the adapter, which opens a connection. */
  connection: number | null
  method: string
  args: unknown[]
}

type Methods = Record<string, (...args: unknown[]) => Promise<unknown>>

/** Returns the answer of the engine. Throws its error, with the last error of the database as its cause. */
export async function runSchemaEngine<Answer>(adapter: Adapter, job: EngineJob): Promise<Answer> {
  const connections: SqlDriverAdapter[] = []
  let isOver = false
  let databaseError: unknown

  const openWith = async (method: string) => {
    const opened = await (method === 'connect' ? adapter.connect() : adapter.connectToShadowDb())
    if (isOver) {
      await opened.dispose()
      throw new Error('The thread of the schema engine has ended.')
    }
    return { connection: connections.push(opened) - 1, info: opened.getConnectionInfo?.() ?? {} }
  }
  const perform = async ({ connection, method, args }: Call): Promise<unknown> => {
    if (connection === null) return openWith(method)
    const methods = connections[connection] as unknown as Methods
    return methods[method]?.(...args)
  }
  const resultOf = async (call: Call) => {
    try {
      return { ok: true, value: await perform(call) }
    } catch (error) {
      databaseError = error
      if (error instanceof Error && isDriverAdapterError(error)) return { ok: false, error: error.cause }
      return { ok: false, error: { kind: 'GenericJs', id: 0 } }
    }
  }

  const { provider, adapterName } = adapter
  const thread = new Worker(
    join(/* turbopackIgnore: true */ process.cwd(), 'lib/db/schema-engine-thread.mjs'),
    {
      workerData: { provider, adapterName, ...job },
      // A loader of this process, for instance of a test, would be started again in the thread.
      execArgv: [],
    },
  )
  try {
    return await new Promise<Answer>((resolve, reject) => {
      const answer = async (call: Call) =>
        thread.postMessage({ call: call.call, result: await resultOf(call) })
      thread.on('message', (message: Call | { answer: Answer }) => {
        if ('answer' in message) resolve(message.answer)
        else answer(message).catch(reject)
      })
      thread.on('error', (error) =>
        reject(databaseError === undefined ? error : Object.assign(error, { cause: databaseError })),
      )
      thread.on('exit', () => reject(new Error('The schema engine ended without an answer.')))
    })
  } finally {
    isOver = true
    await thread.terminate()
    // The engine closes no connection, and other instances wait for its advisory lock, which is released with it.
    await Promise.allSettled(connections.map((connection) => connection.dispose()))
  }
}
