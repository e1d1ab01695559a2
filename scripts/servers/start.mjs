/** Finds the PostgreSQL and the Redis of a test run: those that variables name, or servers of its own. */
import { startPostgres } from './postgres.mjs'
import { startRedis } from './redis.mjs'

/** The value of a variable for a run without that server. */
const none = 'none'

const servers = [
  { name: 'PostgreSQL', variable: 'TEST_DATABASE_URL', start: startPostgres },
  { name: 'Redis', variable: 'TEST_REDIS_URL', start: startRedis },
]

async function find({ name, variable, start }) {
  const given = process.env[variable]
  if (given === none) return { variable, url: none, missing: `${name}: ${variable} is "${none}"` }
  if (given) return { variable, url: given }
  try {
    return { variable, ...(await start()) }
  } catch (error) {
    return { variable, url: none, missing: `${name}: ${error.message}; set ${variable} to use another one` }
  }
}

/**
 * @returns {Promise<{ env: Record<string, string>, missing: string[], stop(): Promise<void> }>} `env` has the variables for the tests.
 *   `missing` says which server there is not, and why.
 */
export async function startServers() {
  const found = await Promise.all(servers.map(find))
  return {
    env: Object.fromEntries(found.map(({ variable, url }) => [variable, url])),
    missing: found.flatMap(({ missing }) => missing ?? []),
    stop: async () => void (await Promise.all(found.map(({ stop }) => stop?.()))),
  }
}
