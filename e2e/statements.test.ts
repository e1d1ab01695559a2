/** How often a page asks the database. */
import { expect, test } from './fixtures'
import { aPerson } from './people'
import { eventually, startServer } from './server'

/**
 * For an account without pecks. Authentication is one of the statements. The profile also reads the names that can be taken back, and a new request
 * the people whom the account can ask: those it answered, and those who approved something.
 */
const limits = { '/': 2, '/profile': 3, '/pecks': 3, '/pecks/new': 4, '/pecks/sent': 3 }

/** A view may also send what the process then keeps, or what it writes once a minute, such as the time of the last use. */
const views = 4

test('a page of a signed-in person sends few statements to the database', async () => {
  const server = await startServer({
    command: [process.execPath, '--import', './e2e/count-statements.mjs', 'build/server.mjs'],
  })
  const { token } = await aPerson(server, 'Mallard')
  const counted: Record<string, number> = {}
  for (const path of Object.keys(limits)) {
    const get = async () =>
      (await fetch(`${server.url}${path}`, { headers: { cookie: `beak.session=${token}` } })).text()
    const lines = () => [...server.output().matchAll(new RegExp(`^statements ${path} (\\d+)$`, 'gm'))]
    for (let view = 0; view < views; view++) await get()
    // A view that sends no statement prints no line.
    const counts = await eventually(() =>
      lines().length === 0 ? null : lines().map(([, count]) => Number(count)),
    )
    counted[path] = Math.min(...counts)
  }
  await server.stop()
  for (const [path, limit] of Object.entries(limits))
    expect.soft(counted[path], path).toBeLessThanOrEqual(limit)
})
