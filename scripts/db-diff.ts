/**
 * `npm run db:diff`: prints the SQL of the next migration, from prisma/migrations to prisma/schema.prisma. With `--from-empty`: the
 * whole schema.
 */
import { PrismaPg } from '@prisma/adapter-pg'
import { ColumnTypeEnum, type SqlDriverAdapter } from '@prisma/driver-adapter-utils'
import { type Pool, types } from 'pg'
import { openEmbedded } from '@/lib/db/embedded/open'
import { diffToSchema } from '@/lib/db/migrate'

/**
 * Connects the engine. It reads columns of the type "char" from the catalogue, which the adapter does not know. The engine sends one query
 * at a time, so the columns that the driver has just read belong to the query that is being answered.
 */
async function connect(pool: Pool): Promise<SqlDriverAdapter> {
  const query = pool.query.bind(pool)
  let chars: number[] = []
  Object.assign(pool, {
    query: async (statement: Parameters<Pool['query']>[0]) => {
      const result = await query(statement)
      chars = result.fields.flatMap(({ dataTypeID }, index) =>
        dataTypeID === types.builtins.CHAR ? [index] : [],
      )
      for (const index of chars)
        Object.assign(result.fields[index] ?? {}, { dataTypeID: types.builtins.TEXT })
      return result
    },
  })
  const connection = await new PrismaPg(pool).connect()
  const queryRaw = connection.queryRaw.bind(connection)
  connection.queryRaw = async (statement) => {
    const result = await queryRaw(statement)
    for (const index of chars) result.columnTypes[index] = ColumnTypeEnum.Character
    return result
  }
  return connection
}

const connectToNewDatabase = async () => connect((await openEmbedded({ dataDir: null })).pool)

const fromEmpty = process.argv.includes('--from-empty')
const adapter = {
  provider: 'postgres',
  adapterName: '@prisma/adapter-pg',
  connect: connectToNewDatabase,
  connectToShadowDb: connectToNewDatabase,
} as const
const sql = await diffToSchema(adapter, fromEmpty)
process.stdout.write(sql.includes('This is an empty migration') ? '-- schema and migrations agree\n' : sql)
process.exit(0)
