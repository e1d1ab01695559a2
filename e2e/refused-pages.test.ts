/** Pages whose data the API refuses, over HTTP: their status, when to try again, and what to do. */
import { expect, test } from './fixtures'
import { aPerson } from './people'
import { type Server, send } from './server'

/** Returns the text of a page, without scripts and tags. */
const words = (html: string) =>
  (/<main[^>]*>([\s\S]*)<\/main>/.exec(html)?.[1] ?? '')
    .replace(/<script[\s\S]*?<\/script>|<[^>]+>/g, ' ')
    .replaceAll('&#x27;', "'")

async function get(server: Server, path: string, token?: string) {
  const headers = { accept: 'text/html', ...(token === undefined ? {} : { cookie: `beak.session=${token}` }) }
  const response = await fetch(`${server.url}${path}`, { headers, redirect: 'manual' })
  return { status: response.status, headers: response.headers, text: words(await response.text()) }
}

test.describe('an address that is rate limited', () => {
  const limits = { LIMIT_ANONYMOUS: '1/1', LIMIT_METRICS: '1/1', LIMIT_STATUS: '1/1' }

  /** Uses up the one request per minute of each rate limit that a public page needs. */
  async function exhaust(server: Server): Promise<void> {
    for (const path of ['openapi.json', 'metrics', 'system/status']) await send(server, `GET /beak/${path}`)
  }

  test('gets status 429 and Retry-After: on public pages with an explanation, on checks with no verdict', async ({
    start,
  }) => {
    const server = await start({ env: { LOG_LEVEL: 'silent', ...limits } })
    for (const path of ['/directory', '/docs/api', '/docs/api/pecks', '/numbers', '/receipts']) {
      await exhaust(server)
      const { status, headers, text } = await get(server, path)
      expect([path, status]).toEqual([path, 429])
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
      expect(text).toContain('Too many requests')
      expect(text).toMatch(/Try again in \d+ seconds?\./)
    }
    for (const path of [
      '/verify/CERT-00000000000000000000000000',
      '/agents/AGT-00000000000000000000000000',
      '/status',
    ]) {
      await exhaust(server)
      const { status, headers } = await get(server, path)
      expect([path, status]).toEqual([path, 429])
      expect([path, headers.get('retry-after')]).toEqual([path, expect.stringMatching(/^\d+$/)])
    }
  })
})

test('an address that has used up its pages gets 429, and still uses the API', async ({ start }) => {
  const server = await start({ env: { LOG_LEVEL: 'silent', LIMIT_PAGES: '6/2', LIMIT_IMAGES: '6/1' } })
  const statuses = async (path: string) => {
    const answers = [await get(server, path), await get(server, path), await get(server, path)]
    return answers.map(({ status }) => status)
  }
  expect(await statuses('/')).toEqual([200, 200, 429])
  expect(await statuses('/opengraph-image')).toEqual([200, 429, 429])
  const { headers, text } = await get(server, '/docs')
  expect([headers.get('retry-after'), text.trim()]).toEqual([
    // One page in ten seconds, less those since the last.
    expect.stringMatching(/^([1-9]|10)$/),
    expect.stringContaining('Too many requests'),
  ])
  expect((await send(server, 'GET /beak/system/status')).status).toBe(200)
})

test.describe('a session that is rate limited', () => {
  test('gets each of its pages with status 429 and an explanation', async ({ start }) => {
    const server = await start({ env: { LOG_LEVEL: 'silent', LIMIT_AUTHENTICATED: '1/1' } })
    const { body } = await send(server, 'POST /beak/signup', {
      body: { email: 'anas@pond.example', display_name: 'Anas' },
    })
    for (const path of ['/home', '/pecks', '/audit', '/security', '/webhooks', '/account']) {
      await send(server, 'GET /beak/profile', { token: body.token })
      const { status, text } = await get(server, path, body.token)
      expect([path, status, text]).toEqual([path, 429, expect.stringContaining('Too many requests')])
    }
  })
})

test.describe('an address with a changed page marker', () => {
  test('gets status 400 and a link to the newest entries, on every page with a list', async ({ server }) => {
    const { token } = await aPerson(server, 'Anas')
    const webhook = await send(server, 'POST /beak/webhook/create', {
      token,
      body: { url: 'https://receiver.example/hook', kinds: ['*'] },
    })
    const paths = [
      '/directory',
      '/audit',
      '/pecks/history',
      '/pecks/sent',
      '/pecks/blocked',
      ...(webhook.status === 200 ? [`/webhooks/${webhook.body.webhook_id}`] : []),
    ]
    for (const path of paths)
      for (const cursor of ['changed', 'a&cursor=b']) {
        const { status, text } = await get(server, `${path}?cursor=${cursor}`, token)
        expect([path, cursor, status, text]).toEqual([
          path,
          cursor,
          400,
          expect.stringMatching(/This address isn't valid[\s\S]*page marker[\s\S]*Show the newest/),
        ])
      }
    // Each list of Allowed has a marker of its own.
    for (const list of ['agents', 'rules', 'permissions'])
      expect(await get(server, `/allowed?${list}=changed`, token)).toMatchObject({
        status: 400,
        text: expect.stringContaining('page marker'),
      })
    expect(await get(server, '/directory?tier=T9')).toMatchObject({
      status: 400,
      text: expect.stringContaining('tier'),
    })
  })
})
