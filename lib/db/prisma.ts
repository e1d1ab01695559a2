/**
 * Prisma on the connections of this process. Its models serve everything that is not hot. Inside a transaction they use the connection of
 * that transaction: they join it when the first model is called, so a command that calls none pays nothing for them.
 */
import { PrismaPg } from '@prisma/adapter-pg'
import type {
  SqlDriverAdapter,
  SqlDriverAdapterFactory,
  SqlQueryable,
  Transaction,
} from '@prisma/driver-adapter-utils'
import { Pool, type PoolClient } from 'pg'
import { AsyncLocalStorage } from '@/lib/kernel/runtime/async-storage'
import { singleton } from '@/lib/kernel/runtime/singleton'
import { Prisma, PrismaClient } from './generated/client'

/** The models of Prisma, inside a transaction or without one. */
export type Models = Omit<Prisma.TransactionClient, `$${string}`>

interface Joined {
  client: PoolClient
  /** Returns the models on `client`. */
  models(): Promise<Models>
}

/** The transaction that the running code belongs to. A page opens it in another bundle than the bundle that made Prisma. */
const current = singleton('db.current', () => new AsyncLocalStorage<Joined>())

/** Whether the running code belongs to a transaction. */
export function isInTransaction(): boolean {
  return current.getStore() !== undefined
}

const ignore = async () => undefined

/** Runs `work` as a part of the transaction on `client`. The first call of a model opens a transaction of Prisma, which ends with `work`. */
export async function inTransaction<T>(
  prisma: PrismaClient,
  client: PoolClient,
  work: () => Promise<T>,
): Promise<T> {
  let opened: Promise<Models> | undefined
  let ended: Promise<unknown> | undefined
  const open = () =>
    new Promise<Models>((resolve, reject) => {
      const lasting = async (models: Models) => {
        resolve(models)
        await worked.catch(ignore)
      }
      ended = prisma.$transaction(lasting).catch(reject)
    })
  const models = () => {
    opened ??= open()
    return opened
  }
  // A call of a model runs when it is awaited, so what `work` returns is awaited inside.
  const worked = current.run({ client, models }, async () => await work())
  try {
    return await worked
  } finally {
    await ended
  }
}

/** A pool that sends queries to a connection of another pool. `PrismaPg` takes only a pool. */
class LentPool extends Pool {
  override query: Pool['query']

  constructor(client: PoolClient) {
    super()
    this.query = client.query.bind(client)
  }
}

const queryable = (adapter: SqlDriverAdapter): SqlQueryable => ({
  provider: adapter.provider,
  adapterName: adapter.adapterName,
  queryRaw: (statement) => adapter.queryRaw(statement),
  executeRaw: (statement) => adapter.executeRaw(statement),
})

/**
 * Returns what Prisma takes for a transaction of its own: a part of the transaction on `client`, which `transaction.ts` begins and ends.
 * With `usePhantomQuery`, Prisma leaves COMMIT and ROLLBACK to the adapter.
 */
async function partOf(client: PoolClient): Promise<Transaction> {
  const adapter = await new PrismaPg(new LentPool(client)).connect()
  return { ...queryable(adapter), options: { usePhantomQuery: true }, commit: ignore, rollback: ignore }
}

/** Returns Prisma's adapter for a pool, with transactions that join ours. */
function joiningAdapter(pool: Pool): SqlDriverAdapterFactory {
  // Without names for its statements: each is planned with its values, so that partial indexes and rare values are found.
  const factory = new PrismaPg(pool)
  return {
    provider: factory.provider,
    adapterName: factory.adapterName,
    connect: async () => {
      const adapter = await factory.connect()
      return {
        ...queryable(adapter),
        executeScript: (script) => adapter.executeScript(script),
        startTransaction: (isolationLevel) => {
          const joined = current.getStore()
          return joined === undefined ? adapter.startTransaction(isolationLevel) : partOf(joined.client)
        },
        getConnectionInfo: () => adapter.getConnectionInfo(),
        dispose: () => adapter.dispose(),
      }
    },
  }
}

export function prismaOn(pool: Pool): PrismaClient {
  return new PrismaClient({
    adapter: joiningAdapter(pool),
    errorFormat: 'minimal',
    // A longer wait for a connection or a longer transaction is an outage (E5002).
    transactionOptions: { maxWait: 15_000, timeout: 15_000 },
  })
}

const keyOf = (model: string) => `${model.charAt(0).toLowerCase()}${model.slice(1)}` as keyof Models

/** Returns the models of a client. */
export function modelsOf(prisma: Models): Models {
  const keys = Object.values(Prisma.ModelName).map(keyOf)
  return Object.fromEntries(keys.map((key) => [key, prisma[key]])) as unknown as Models
}

type Delegate = Record<string, (args?: object) => Promise<unknown>>

/** Returns the models for transactions. Each call joins the transaction that the running code belongs to. */
export function joiningModelsOf(prisma: PrismaClient): Models {
  const joining = prisma.$extends({
    query: {
      $allModels: {
        async $allOperations({ model, operation, args }) {
          const models = await current.getStore()?.models()
          if (models === undefined) throw new Error('This works only inside a transaction.')
          return (models[keyOf(model)] as unknown as Delegate)[operation]?.(args)
        },
      },
    },
  })
  return modelsOf(joining as unknown as Models)
}
