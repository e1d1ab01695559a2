/** Express, Hono and Next refuse requests without a permission, on a real service. */
import { once } from 'node:events'
import { createServer, get, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { Beak } from '@beak/client'
import { requirePermission as expressPermission, permissionOf } from '@beak/client/adapters/express'
import { requirePermission as honoPermission } from '@beak/client/adapters/hono'
import { requirePermission as nextPermission } from '@beak/client/adapters/next'
import { getRequestListener } from '@hono/node-server'
import express, { type Request as ExpressRequest } from 'express'
import { Hono } from 'hono'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startFaultServer } from '../fault-server'
import { startService } from '../service'
import { type People, somePeople } from './people'

const url = startService()
const faults = startFaultServer(url)
const order = { item: 'tea', amount: 2 }
let people: People
/** What the sites did, as each handler saw it. */
let done: unknown[] = []

/** The rule of every site, which believes Beak: trust.test.ts has the other guards. Who must have given the permission is in the address. */
const rule = (beak: Beak) => ({ beak, action: 'place:order', trust: { require: 'service' } as const })

const sites: Record<string, (beak: Beak) => RequestListener> = {
  express: (beak) => {
    const app = express()
    // As the recipe has it: without the type of the request.
    const guard = expressPermission({
      ...rule(beak),
      target: (request) => String(request.query.target),
      params: (request) => request.body,
    })
    app.post('/orders', express.json(), guard, (request, response) => {
      done.push(permissionOf(request).params)
      response.json(permissionOf(request))
    })
    return app
  },
  hono: (beak) => {
    const app = new Hono()
    const guard = honoPermission({
      ...rule(beak),
      target: (context) => context.req.query('target') ?? '',
      params: (context) => context.req.json(),
    })
    app.post('/orders', guard, async (context) => {
      done.push(await context.req.json())
      return context.json(context.get('permission'))
    })
    return getRequestListener(app.fetch)
  },
  next: (beak) => {
    const handler = nextPermission(
      {
        ...rule(beak),
        target: (request) => new URL(request.url).searchParams.get('target') ?? '',
        params: (request) => request.json(),
      },
      async (request: Request, _context: unknown, permission) => {
        done.push(await request.json())
        return Response.json(permission)
      },
    )
    return getRequestListener((request) => handler(request, {}))
  },
}

const servers: ReturnType<typeof createServer>[] = []

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

afterAll(() => {
  for (const server of servers) server.close()
})

beforeEach(async () => {
  done = []
  people = await somePeople(url())
})

/** Returns a permission of the person. */
async function aPermission(action = 'place:order', params: object = order): Promise<string> {
  const request = { target: people.target, action, params: { ...params } }
  const [{ permission }] = await Promise.all([people.beak.requestPermission(request), people.approve()])
  return permission?.grant_token ?? ''
}

describe.each(Object.keys(sites))('%s', (framework) => {
  let site: string

  beforeAll(async () => {
    site = await listen(sites[framework]?.(new Beak({ url: url() })) ?? (() => undefined))
  })

  const send = async (
    grant: string | null,
    { body = order as unknown, target = people.target, at = site } = {},
  ) => {
    const response = await fetch(`${at}/orders?target=${target}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...(grant === null ? {} : { 'X-Peck-Grant': grant }) },
      body: JSON.stringify(body),
    })
    return { status: response.status, headers: response.headers, body: await response.json() }
  }

  it('handles a request with a permission once, and refuses the second', async () => {
    const grant = await aPermission()
    expect(await send(grant)).toMatchObject({
      status: 200,
      body: { action: 'place:order', target_duckling_id: people.target, params: order, uses_left: 0 },
    })
    expect(await send(grant)).toMatchObject({ status: 403, body: { code: 'consumed' } })
    expect(done).toEqual([order])
  })

  // security: agent-19
  it('handles one of 50 simultaneous requests with the same permission', async () => {
    const grant = await aPermission()
    const answers = await Promise.all(Array.from({ length: 50 }, () => send(grant)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(done).toHaveLength(1)
  })

  it('says which permission is missing', async () => {
    const { status, headers, body } = await send(null)
    expect([status, headers.get('Content-Type'), headers.get('Cache-Control')]).toEqual([
      401,
      'application/problem+json',
      'no-store',
    ])
    expect(headers.get('WWW-Authenticate')).toBe(`PeckGrant action="place:order", issuer="${url()}"`)
    expect(body).toMatchObject({
      status: 401,
      code: 'missing',
      required: { action: 'place:order', params: order, scope: 'limited', issuer: url() },
    })
    expect(done).toEqual([])
  })

  it.each([
    ['other parameters', { body: { item: 'tea', amount: 3 } }],
    ['a body that is no object', { body: [order] }],
    ['another person', { target: 'DUCK-0000000000000000' }],
  ])('refuses a permission for %s and leaves it unspent', async (_, change) => {
    const grant = await aPermission()
    expect(await send(grant, change)).toMatchObject({ status: 403, body: { code: 'mismatch' } })
    expect(done).toEqual([])
    expect((await send(grant)).status).toBe(200)
  })

  it('does not take a body that is no object for one without parameters', async () => {
    const grant = await aPermission('place:order', {})
    expect(await send(grant, { body: [order] })).toMatchObject({ status: 403, body: { code: 'mismatch' } })
    expect(done).toEqual([])
  })

  // security: agent-19
  it('refuses a permission for another action and leaves it unspent', async () => {
    const grant = await aPermission('cancel:order')
    expect(await send(grant)).toMatchObject({ status: 403, body: { code: 'mismatch' } })
    expect(await new Beak({ url: url() }).usePermission(grant, order)).toMatchObject({ uses_left: 0 })
  })

  // security: agent-19
  it('refuses a token whose claims were changed to fit', async () => {
    const [head, , signature] = (await aPermission('cancel:order')).split('.')
    const claims = { action: 'place:order', target: people.target }
    const forged = [head, Buffer.from(JSON.stringify(claims)).toString('base64url'), signature].join('.')
    expect(await send(forged)).toMatchObject({ status: 403, body: { code: 'invalid' } })
    expect(done).toEqual([])
  })

  it.each(['x', 'a.b.c', '..', 'a.bnVsbA.c', 'x'.repeat(5000)])(
    'refuses %.12s, which is no permission',
    async (text) => {
      expect(await send(text)).toMatchObject({ status: 403, body: { code: 'invalid' } })
      expect(done).toEqual([])
    },
  )

  it('refuses a revoked permission', async () => {
    const grant = await aPermission()
    const [peck] = (await people.person.listPecks({ grant_status: 'active' })).items
    await people.person.revokeGrant({ peck_id: peck?.peck_id ?? '' })
    expect(await send(grant)).toMatchObject({ status: 403, body: { code: 'revoked' } })
    expect(done).toEqual([])
  })

  it.each(['cut', 'bad-gateway', 'error-E5002', 'error-E4004'])(
    'returns 503 after %s of Beak',
    async (fault) => {
      const grant = await aPermission()
      const beak = new Beak({ url: faults.run(fault).url, retries: 0 })
      const at = await listen(sites[framework]?.(beak) ?? (() => undefined))
      const { status, headers, body } = await send(grant, { at })
      expect([status, body.code, Number(headers.get('Retry-After'))]).toEqual([
        503,
        'unavailable',
        expect.any(Number),
      ])
      expect(done).toEqual([])
    },
  )
})

it('passes faults of the rule on to the error handler of Express', async () => {
  const app = express()
  const params = () => {
    throw new RangeError('no params')
  }
  const guard = expressPermission({ ...rule(new Beak({ url: url() })), target: 'anyone', params })
  app.get('/', guard, () => done.push('handled'))
  const seen: unknown[] = []
  app.use((error: unknown, _request: unknown, response: { end(): void }, _next: unknown) => {
    seen.push(error)
    response.end()
  })
  await fetch(await listen(app))
  expect(seen).toEqual([expect.any(RangeError)])
  expect(done).toEqual([])
})

it('gives no permission to a handler without the middleware', async () => {
  expect(() => permissionOf({} as ExpressRequest)).toThrow('mount requirePermission')
})

it.each(['shop.example', undefined])(
  'refuses a permission for another audience, and names its own in what is missing (audience: %s)',
  async (own) => {
    const handler = nextPermission(
      {
        ...rule(new Beak({ url: url() })),
        target: 'anyone',
        params: () => order,
        audience: own,
      },
      (_request: Request, _context: unknown, permission) => Response.json(permission),
    )
    const send = async (audience?: string) => {
      const request = { target: people.target, action: 'place:order', params: order, audience }
      const [{ permission }] = await Promise.all([people.beak.requestPermission(request), people.approve()])
      const headers = { 'X-Peck-Grant': permission?.grant_token ?? '' }
      return handler(new Request('https://shop.example/orders', { headers }), {})
    }
    const missing = await handler(new Request('https://shop.example/orders'), {})
    expect((await missing.json()).required).toEqual({
      action: 'place:order',
      params: order,
      scope: 'limited',
      audience: 'shop.example',
      issuer: url(),
    })
    expect((await send('other.example')).status).toBe(403)
    expect((await send('shop.example')).status).toBe(200)
    // A permission without an audience is accepted everywhere.
    expect((await send()).status).toBe(200)
  },
)

it.each<[string, string | undefined]>([
  ['SHOP.example:8443', 'shop.example'],
  ['shop.example.', 'shop.example'],
  ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
  ['127.0.0.1:3000', undefined],
  ['0x7f.1', undefined],
  ['[::1]:3000', undefined],
  ['localhost', undefined],
  ['shop', undefined],
  ['shop.example@evil.example', undefined],
  ['evil.example\\@shop.example', undefined],
  ['shop.example/evil.example', undefined],
])('names the audience of requests for the host %s: %s', async (host, audience) => {
  const options = { ...rule(new Beak({ url: url() })), target: 'anyone', params: () => order } as const
  const next = nextPermission(options, () => new Response())
  const answer = await next(new Request('http://inside:3000/', { headers: { host } }), {})
  const app = express()
  app.get('/', expressPermission(options))
  const { port } = new URL(await listen(app))
  const request = get({ host: '127.0.0.1', port, headers: { host } })
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  const bodies = [await answer.json(), await json(response)] as { required: { audience?: string } }[]
  expect(bodies.map(({ required }) => required.audience)).toEqual([audience, audience])
})

it.each(['', 'localhost', '127.0.0.1', 'https://shop.example', 'shop.example/path', 'shop@evil.example'])(
  'is not made with the audience %j, which is no public host name',
  (audience) => {
    const options = { ...rule(new Beak({ url: url() })), target: 'anyone', params: () => order, audience }
    expect(() => nextPermission(options, () => new Response())).toThrow(TypeError)
  },
)
