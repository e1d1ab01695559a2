/** What the role of the service must be allowed to do with the tables that are there. */
import { Client } from 'pg'
import { StartProblem } from '@/lib/kernel/start-problem'
import { Prisma } from './generated/client'

interface Rights {
  role: string
  name: string
  hasSchema: boolean
  tables: string[]
  sequences: string[]
}

/** How many names a message lists. */
const namedMax = 5

const some = (names: string[]) =>
  [...names.slice(0, namedMax), ...(names.length > namedMax ? ['…'] : [])].join(', ')

/**
 * Throws `StartProblem` when the role of a PostgreSQL server lacks rights on tables that are there, for instance after a restore into a database
 * without `ALTER DEFAULT PRIVILEGES`. Names the rights and what to run.
 */
export async function requireRights(connectionString: string): Promise<void> {
  const client = new Client({ connectionString })
  await client.connect()
  try {
    const { rows } = await client.query<Rights>(
      `SELECT current_user::text AS "role", current_database()::text AS "name", current_schema() IS NOT NULL AS "hasSchema",
        ARRAY(
          SELECT c.relname::text FROM pg_class c
          WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace AND c.relname = ANY ($1)
            AND NOT (has_table_privilege(c.oid, 'SELECT') AND (c.relname = '_prisma_migrations' OR (
              has_table_privilege(c.oid, 'INSERT') AND has_table_privilege(c.oid, 'UPDATE') AND has_table_privilege(c.oid, 'DELETE'))))
          ORDER BY c.relname) AS "tables",
        ARRAY(
          SELECT c.relname::text FROM pg_class c
          WHERE c.relkind = 'S' AND c.relnamespace = current_schema()::regnamespace
            AND NOT (has_sequence_privilege(c.oid, 'USAGE') AND has_sequence_privilege(c.oid, 'SELECT'))
          ORDER BY c.relname) AS "sequences"`,
      [[...Object.values(Prisma.ModelName), '_prisma_migrations']],
    )
    const rights = rows[0]
    if (rights === undefined) throw new Error('the database gave no answer')
    const { role, name, hasSchema, tables, sequences } = rights
    const missing = [
      ...(hasSchema ? [] : ['USAGE on the schema public']),
      ...(tables.length === 0 ? [] : [`SELECT, INSERT, UPDATE and DELETE on tables (${some(tables)})`]),
      ...(sequences.length === 0 ? [] : [`USAGE and SELECT on sequences (${some(sequences)})`]),
    ]
    if (missing.length === 0) return
    throw new StartProblem(
      `DATABASE_URL: the role ${role} lacks these rights in the database ${name}: ${missing.join('; ')}. Give them as the owner of the tables: the GRANT lines of /docs/hosts/operate#the-database-role`,
    )
  } finally {
    await client.end()
  }
}
