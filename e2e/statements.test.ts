/** How often a page asks the database. */
import { expect, test } from './fixtures'
import { aPerson } from './people'
import { eventually, startServer } from './server'

/** Authentication is one of them. */
const limits = { '/': 2, '/profile': 2, '/pecks': 3, '/pecks/new': 3, '/pecks/sent': 3, '/agents': 4 }

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
    // The first view of a page may load what the process then keeps.
    await get()
    await get()
    counted[path] = await eventually(() => (lines().length < 2 ? null : Number(lines().at(-1)?.[1])))
  }
  await server.stop()
  for (const [path, limit] of Object.entries(limits))
    expect.soft(counted[path], path).toBeLessThanOrEqual(limit)
})
