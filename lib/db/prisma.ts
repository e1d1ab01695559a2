/**
 * Prisma on the connections of this process. Its models serve everything that is not hot. Inside a transaction they use the connection of
 * that transaction: they join it when the first model is called, so a command that calls none pays nothing for them.
 */
import { PrismaPg } from '@prisma/adapter-pg'
import type { SqlDriverAdapterFactory, Transaction } from '@prisma/driver-adapter-utils'
import { Pool, type PoolClient } from 'pg'
import { AsyncLocalStorage } from '@/lib/kernel/runtime/async-storage'
import { singleton } from '@/lib/kernel/runtime/singleton'
import { Prisma, PrismaClient } from './generated/client'

/** The models of Prisma, inside a transaction or without one. */
export type Models = Omit<Prisma.TransactionClient, `$${string}`>

/** The connection of the transaction that the running code belongs to. A page opens it in another bundle than the bundle that made Prisma. */
const joined = singleton('db.joined', () => new AsyncLocalStorage<PoolClient>())

/** Whether the running code belongs to a transaction. */
export function isInTransaction(): boolean {
  return joined.getStore() !== undefined
}

/** Runs `work` as a part of the transaction on `client`. */
export function inTransaction<T>(client: PoolClient, work: () => Promise<T>): Promise<T> {
  return joined.run(client, work)
}

/**
 * Returns what Prisma takes for a transaction of its own: a part of the transaction on `client`, which `transaction.ts` begins and ends.
 * With `usePhantomQuery`, Prisma leaves COMMIT and ROLLBACK to the adapter.
 */
async function partOf(client: PoolClient): Promise<Transaction> {
  const { query } = client
  const adapter = await new PrismaPg(Object.assign(new Pool(), { query: query.bind(client) })).connect()
  return {
    provider: adapter.provider,
    adapterName: adapter.adapterName,
    options: { usePhantomQuery: true },
    queryRaw: (statement) => adapter.queryRaw(statement),
    executeRaw: (statement) => adapter.executeRaw(statement),
    commit: async () => undefined,
    rollback: async () => undefined,
  }
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
      const startOwn = adapter.startTransaction.bind(adapter)
      const startTransaction: typeof startOwn = (isolationLevel) => {
        const client = joined.getStore()
        return client === undefined ? startOwn(isolationLevel) : partOf(client)
      }
      return Object.assign(adapter, { startTransaction })
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

type Delegate = Record<string, (args?: object) => Promise<unknown>>

const modelNames = Object.values(Prisma.ModelName).map(
  (name) => `${name.charAt(0).toLowerCase()}${name.slice(1)}` as keyof Models,
)

/** Returns the models of a client. */
export function modelsOf(prisma: PrismaClient): Models {
  return Object.fromEntries(modelNames.map((name) => [name, prisma[name]])) as unknown as Models
}

/** The models of a transaction, which ask `join` for their client when they are called. */
export class JoiningModels {
  constructor(readonly join: () => Promise<Models>) {}
}

for (const name of modelNames) {
  const delegateOf = ({ join }: JoiningModels) =>
    new Proxy({} as Delegate, {
      get: (_target, operation) => async (args?: object) => {
        const delegate = (await join())[name] as unknown as Delegate
        return delegate[String(operation)]?.(args)
      },
    })
  Object.defineProperty(JoiningModels.prototype, name, {
    get(this: JoiningModels) {
      return delegateOf(this)
    },
  })
}
