/**
 * `npm run db:diff`: prints the SQL of the next migration, from prisma/migrations to prisma/schema.prisma. With `--from-empty`: the
 * whole schema.
 */
import { PrismaPg } from '@prisma/adapter-pg'
import { openEmbedded } from '@/lib/db/embedded/open'
import { diffToSchema } from '@/lib/db/migrate'

const fromEmpty = process.argv.includes('--from-empty')
const { pool } = await openEmbedded({ dataDir: null })
const sql = await diffToSchema(new PrismaPg(pool), fromEmpty)
process.stdout.write(sql.includes('This is an empty migration') ? '-- schema and migrations agree\n' : sql)
process.exit(0)
