/** `npm run bench -- load N`: fills the configured database with N people. */
import pg from 'pg'
import { loadPeople } from './data/people'
import { startBeak } from './servers/beak'
import { freePort } from './servers/free-port'

const usage = 'Usage: DATABASE_URL=postgresql://… npm run bench -- load N'

/** Applies the migrations by starting Beak once, and stops it again. */
export async function migrateDatabase(databaseUrl: string): Promise<void> {
  const env = { LOG_LEVEL: 'error' }
  const server = await startBeak({ name: 'beak-migrate', port: await freePort(), databaseUrl, env })
  await server.stop()
}

/** Fills the database of DATABASE_URL. Its people are added to those that it has. */
export async function load([text = '']: string[]): Promise<void> {
  const count = Number(text)
  const { DATABASE_URL: databaseUrl } = process.env
  if (!Number.isInteger(count) || count < 1) throw new Error(usage)
  if (!databaseUrl)
    throw new Error(`${usage}\nThe embedded database cannot be filled: only its own server may open it.`)
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect().catch((error: Error) => {
    throw new Error(`DATABASE_URL: ${error.message}`)
  })
  const { rows } = await client.query<{ exists: boolean }>(
    `SELECT to_regclass('"Duckling"') IS NOT NULL AS exists`,
  )
  if (!rows[0]?.exists)
    throw new Error('DATABASE_URL: the database has no tables yet. Start Beak with it once; it creates them.')
  await loadPeople(client, count)
  await client.end()
}
