/**
 * `npm run db:diff`: prints the SQL of the next migration, from prisma/migrations to prisma/schema.prisma. With `--from-empty`: the
 * whole schema.
 */
import { PGlite } from '@electric-sql/pglite'
import { diffToSchema } from '@/lib/db/migrate'
import { embeddedAdapter } from '@/lib/db/pglite'

const fromEmpty = process.argv.includes('--from-empty')
const sql = await diffToSchema(embeddedAdapter(await PGlite.create()), fromEmpty)
process.stdout.write(sql.includes('This is an empty migration') ? '-- schema and migrations agree\n' : sql)
process.exit(0)
