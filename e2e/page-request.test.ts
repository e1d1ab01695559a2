/** What one page request does inside: seen in the log of the server. */
import { expect, test } from './fixtures'
import { aPerson } from './people'
import { eventually, type Server } from './server'

interface LogLine {
  request_id?: string
  method?: string
  path?: string
  caller?: string
}

/** Returns the log lines of a request id that are written already. */
function writtenLines(output: string, requestId: string): LogLine[] {
  return output
    .split('\n')
    .filter((line) => line.startsWith('{') && line.endsWith('}'))
    .map((line) => JSON.parse(line) as LogLine)
    .filter(({ request_id }) => request_id === requestId)
}

/** Returns all log lines of a request that has ended. Lines are written in order, so the line of a later request is waited for. */
async function linesOf(server: Server, requestId: string): Promise<LogLine[]> {
  const later = `after-${requestId}`
  await fetch(`${server.url}/beak/`, { headers: { 'x-request-id': later } })
  await eventually(() => writtenLines(server.output(), later)[0])
  return writtenLines(server.output(), requestId)
}

test.describe('a page request', () => {
  test('logs each of its calls with the same request id, the path of the endpoint and the caller', async ({
    server,
  }) => {
    const person = await aPerson(server, 'Mallard')
    const headers = { cookie: `beak.session=${person.token}`, 'x-request-id': 'page-request-1' }
    const response = await fetch(`${server.url}/home`, { headers })
    expect(response.status).toBe(200)
    await response.text()
    const lines = await linesOf(server, 'page-request-1')
    const endpoints = lines.map(({ method, path }) => `${method} ${path}`)
    expect(endpoints).toEqual(
      expect.arrayContaining([
        'GET /beak/profile/overview',
        'GET /beak/peck/inbox',
        'GET /beak/agent/activity',
        'GET /beak/audit',
      ]),
    )
    expect(endpoints.filter((endpoint) => !/^GET \/(beak\/|\.well-known\/|home$)/.test(endpoint))).toEqual([])
    const callers = lines.flatMap(({ path, caller }) => (path?.startsWith('/beak/') ? [caller] : []))
    expect(new Set(callers)).toEqual(new Set([person.id]))
  })

  test('reads the overview of its viewer once', async ({ server }) => {
    const person = await aPerson(server, 'Mallard')
    const headers = { cookie: `beak.session=${person.token}`, 'x-request-id': 'page-request-2' }
    await (await fetch(`${server.url}/profile`, { headers })).text()
    const overviews = (await linesOf(server, 'page-request-2')).filter(
      ({ path }) => path === '/beak/profile/overview',
    )
    expect(overviews).toHaveLength(1)
  })
})
