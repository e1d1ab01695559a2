/**
 * Prisma on the connections of this process. Its models serve everything that is not hot. Inside a transaction they use the connection of
 * that transaction: they join it when the first model is called, so a command that calls none pays nothing for them.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { PrismaPg } from '@prisma/adapter-pg'
import { Pool, type PoolClient } from 'pg'
import { singleton } from '@/lib/kernel/singleton'
import { Prisma, PrismaClient } from './generated/client'

/** The models of Prisma, inside a transaction or without one. */
export type Models = Omit<Prisma.TransactionClient, `$${string}`>

/** The connection of the transaction that the running code belongs to. A page opens it in another bundle than the one that made Prisma. */
const joined = singleton('db.joined', () => new AsyncLocalStorage<PoolClient>())

/** Whether the running code belongs to a transaction. */
export function isInTransaction(): boolean {
  return joined.getStore() !== undefined
}

/** Runs `work` as a part of the transaction on `client`. */
export function inTransaction<T>(client: PoolClient, work: () => Promise<T>): Promise<T> {
  return joined.run(client, work)
}

/** Statements of Prisma that begin and end a transaction, which `transaction.ts` does itself. */
const isBoundary = (text: string) => text === 'BEGIN' || text === 'COMMIT' || text === 'ROLLBACK'
const nothing = Promise.resolve({ rows: [], fields: [], rowCount: 0 })

/** A connection as Prisma sees it: one of its own, which in truth is in the middle of a transaction. */
function joinedClient(client: PoolClient): object {
  return {
    query: (statement: { text: string }) => (isBoundary(statement.text) ? nothing : client.query(statement)),
    on: () => undefined,
    removeListener: () => undefined,
    release: () => undefined,
  }
}

/** The pool as Prisma sees it. */
function joiningPool(pool: Pool): Pool {
  return Object.assign(Object.create(Pool.prototype) as Pool, {
    options: pool.options,
    query: pool.query.bind(pool),
    on: pool.on.bind(pool),
    removeListener: pool.removeListener.bind(pool),
    connect: async () => {
      const client = joined.getStore()
      return client === undefined ? pool.connect() : joinedClient(client)
    },
  })
}

export function prismaOn(pool: Pool): PrismaClient {
  // Without names for its statements: each is planned with its values, so that partial indexes and rare values are found.
  const adapter = new PrismaPg(joiningPool(pool))
  return new PrismaClient({
    adapter,
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
