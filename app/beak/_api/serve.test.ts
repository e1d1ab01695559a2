import { describe, expect, it } from 'vitest'
import { aDuckling, randomEmail } from '@/lib/factories/ducklings'
import nextConfig from '@/next.config.mjs'
import { callRaw } from './call'
import { isApi, isForPrograms, lacksPrefix, type Method, methods } from './serve'
import { table } from './table'

interface Line {
  method: Method
  path: string
  line: string
}

/** Every operation of the API. The tests call them without credential and body, so most of them refuse the call. */
const operations: Line[] = Object.entries(table).flatMap(([key, route]) => {
  const path = key.replace('{n}', '0')
  return methods
    .filter((method) => route[method])
    .map((method) => ({ method, path, line: `${method} ${path}` }))
})
const lines = operations.map(({ line }) => [line] as const)
const paths = [...new Set(operations.map(({ path }) => path))].map((path) => [path] as const)

/** Returns the parts of an answer that are the same at every call. */
async function stablePart(response: Response) {
  const text = await response.text()
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    text: response.status === 200 ? Object.keys(JSON.parse(text)) : text.replace(/"request_id":"[^"]*"/, ''),
  }
}

describe('a trailing slash', () => {
  it.each(lines)('%s gets the same answer with and without it, never a redirect', async (line) => {
    const plain = await callRaw(line)
    const slashed = await callRaw(`${line}/`)
    expect(plain.headers.get('location')).toBeNull()
    expect(slashed.headers.get('location')).toBeNull()
    if (/json/.test(plain.headers.get('content-type') ?? '')) {
      expect(await stablePart(slashed)).toEqual(await stablePart(plain))
    } else expect(slashed.status).toBe(plain.status)
    expect([...slashed.headers.keys()]).toEqual([...plain.headers.keys()])
  })

  it('is a single slash: two slashes get 404', async () => {
    expect((await callRaw('GET /beak//')).status).toBe(404)
    expect((await callRaw('GET /beak/metrics//')).status).toBe(404)
    expect((await callRaw('GET //beak/metrics')).status).toBe(404)
  })

  it('makes no difference for the root', async () => {
    for (const path of ['/beak', '/beak/'])
      expect(await (await callRaw(`GET ${path}`)).json()).toMatchObject({ name: 'Beak' })
  })
})

describe('404', () => {
  it.each([
    'GET /beak/nothing',
    'POST /beak/nothing',
    'DELETE /beak/nothing',
    'OPTIONS /beak/nothing',
    'GET /beak/sign%75p',
    'GET /beak/SIGNUP',
    'GET /beak/signup/route',
    'GET /beak/constructor',
    'GET /beak/__proto__',
    'GET /beak/_api/table',
  ])('%s gets a problem document', async (line) => {
    const response = await callRaw(line)
    expect(response.status).toBe(404)
    expect(response.headers.get('content-type')).toBe('application/problem+json')
    expect(await response.json()).toMatchObject({
      code: 'E4005',
      status: 404,
      success: false,
      request_id: response.headers.get('x-request-id'),
      action: expect.any(String),
    })
  })
})

describe('the paths of the API', () => {
  const isOurs = (target: string) => isApi(table, target)

  it('are all paths below /beak, and elsewhere only those of the table', () => {
    for (const target of [
      '/beak',
      '/beak/',
      '/beak?a=b',
      '/beak/nothing',
      '/beak/.well-known',
      '/healthz',
      '/readyz/',
    ])
      expect([target, isOurs(target)]).toEqual([target, true])
    for (const target of [
      '/.well-known/jwks.json',
      '/.well-known/jwks.json/?a',
      '/.well-known/status-list/0',
      '/.well-known/tlog/checkpoint',
      '/.well-known/tlog/tile/entries/x001/000.p/3',
    ])
      expect([target, isOurs(target)]).toEqual([target, true])
    for (const target of [
      '/',
      '/beaks',
      '/healthzz',
      '/healthz/x',
      '/.well-known',
      '/.well-known/',
      '/.well-known/security.txt',
      '/.well-known/jwks.json/x',
      '/.well-known/jwks.jsonx',
      '/.well-known/tlog',
      '/.well-known/tlog/tile',
      '/.well-known/tlog/nothing',
      '/constructor',
    ])
      expect([target, isOurs(target)]).toEqual([target, false])
  })

  it('are joined by unknown paths that only programs ask for, which answer JSON', async () => {
    const isForOurs = (line: string) => isForPrograms(table, ...(line.split(' ') as [string, string]))
    const lines = [
      'GET /.well-known/oauth-authorization-server',
      'GET /.well-known/oauth-authorization-server/mcp',
      'GET /.well-known/openid-configuration?a',
      'GET /.well-known/nothing',
      'GET /mcp/.well-known/openid-configuration',
      'POST /mcp/nothing',
    ]
    for (const line of lines) {
      expect([line, isForOurs(line)]).toEqual([line, true])
      const response = await callRaw(line)
      expect(response.status).toBe(404)
      expect(response.headers.get('content-type')).toBe('application/problem+json')
      expect(await response.json()).toMatchObject({ code: 'E4005', reason: 'path_not_found' })
    }
    const pages = [
      'GET /.well-known/security.txt',
      'GET /register',
      'GET /token',
      'POST /registers',
      'GET /mcp',
    ]
    for (const line of pages) expect([line, isForOurs(line)]).toEqual([line, false])
  })

  it.each(['/register', '/mcp/register', '/token', '/register/'])(
    'answer an attempt to sign in with OAuth at %s with an error of OAuth about the beak key',
    async (path) => {
      expect(isForPrograms(table, 'POST', path)).toBe(true)
      const response = await callRaw(`POST ${path}`)
      expect([response.status, response.headers.get('content-type')]).toEqual([400, 'application/json'])
      expect(await response.json()).toEqual({
        error: 'access_denied',
        // Characters that RFC 6749 allows there.
        error_description: expect.stringMatching(/^The beak key is wrong or expired\.[ !#-[\]-~]*$/),
      })
    },
  )

  it('are the same when Next serves alone', async () => {
    const rewrites = await nextConfig.rewrites?.()
    const first = rewrites === undefined || Array.isArray(rewrites) ? [] : (rewrites.beforeFiles ?? [])
    const sources = first.map(({ source }) => source)
    for (const path of Object.keys(table).filter((path) => !path.startsWith('/beak/')))
      expect(sources).toContain(path.replace('{path}', ':path+').replace(/\{(\w+)\}/, ':$1'))
    expect(sources.filter((source) => source.includes('*'))).toEqual(['/beak/:path*'])
  })
})

describe('405', () => {
  // security: check-28, check-56
  it.each(paths)('%s names the allowed methods and refuses all others', async (path) => {
    const offered = operations.filter((operation) => operation.path === path).map(({ method }) => method)
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'PROPFIND']) {
      if (offered.includes((method === 'HEAD' ? 'GET' : method) as Method)) continue
      const response = await callRaw(`${method} ${path}`)
      expect(response.status).toBe(405)
      const allowed = (response.headers.get('allow') ?? '').split(', ')
      expect(allowed).toEqual([...offered, ...(offered.includes('GET') ? ['HEAD'] : []), 'OPTIONS'])
      if (method !== 'HEAD') expect(await response.json()).toMatchObject({ code: 'E4010', success: false })
    }
  })

  // security: check-56
  it('is returned even when a header names another method', async () => {
    for (const name of ['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override'])
      expect((await callRaw('GET /beak/signout', { headers: { [name]: 'POST' } })).status).toBe(405)
  })
})

describe('OPTIONS', () => {
  // security: site-6, check-62
  it.each(paths)('%s allows a preflight of any origin, never with credentials', async (path) => {
    const response = await callRaw(`OPTIONS ${path}`, {
      headers: {
        Origin: 'https://elsewhere.example',
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'authorization, content-type',
      },
    })
    expect(response.status).toBe(204)
    expect(await response.text()).toBe('')
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    expect(response.headers.get('access-control-allow-credentials')).toBeNull()
    expect(response.headers.get('access-control-allow-methods')).toBe(response.headers.get('allow'))
    const allowed = response.headers.get('access-control-allow-headers') ?? ''
    const usable = [
      'Authorization',
      'Content-Type',
      'Idempotency-Key',
      'X-Beak-Key',
      'X-Peck-Grant',
      'X-Request-Id',
    ]
    expect(allowed.split(', ')).toEqual(usable)
  })
})

describe('HEAD', () => {
  const gets = operations.filter(({ method }) => method === 'GET').map(({ path }) => [path] as const)

  it.each(gets)('%s gets the answer of GET without a body', async (path) => {
    const [head, get] = [await callRaw(`HEAD ${path}`), await callRaw(`GET ${path}`)]
    expect(head.status).toBe(get.status)
    expect(head.headers.get('content-type')).toBe(get.headers.get('content-type'))
    expect(await head.text()).toBe('')
    await get.body?.cancel()
  })

  it('gets refusals without a body', async () => {
    for (const line of ['HEAD /beak/nothing', 'HEAD /beak/signout']) {
      const response = await callRaw(line)
      expect(response.status).toBeGreaterThanOrEqual(404)
      expect(await response.text()).toBe('')
    }
  })
})

describe('every answer', () => {
  // security: check-63
  it.each(lines)('to %s has the required headers', async (line) => {
    const response = await callRaw(line, { headers: { Origin: 'null' } })
    const { headers } = response
    const [method = '', path = ''] = line.split(' ')
    const definition = table[path.replace(/\/0$/, '/{n}')]?.[method as Method]?.definition
    const cached = response.ok ? definition?.responseHeaders?.['Cache-Control'] : undefined
    expect(headers.get('cache-control')).toBe(cached ?? 'no-store')
    expect(headers.get('x-request-id')).toMatch(/^[A-Za-z0-9_-]{1,64}$/)
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(headers.get('access-control-allow-credentials')).toBeNull()
    const exposed = (headers.get('access-control-expose-headers') ?? '').split(', ')
    for (const name of [
      'X-Request-Id',
      'RateLimit',
      'RateLimit-Policy',
      'Retry-After',
      'WWW-Authenticate',
      'Idempotency-Replayed',
    ])
      expect(exposed).toContain(name)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    if (definition?.limit !== null) {
      expect(headers.get('ratelimit-policy')).toMatch(/^"[a-z]+";q=\d+;w=60;burst=\d+$/)
      expect(headers.get('ratelimit')).toMatch(/^"[a-z]+";r=\d+;t=\d+$/)
    }
    expect(headers.get('set-cookie')).toBeNull()
    if (response.status === 401) expect(headers.get('www-authenticate')).toMatch(/^Bearer realm="beak"/)
    await response.body?.cancel()
  })
})

describe('X-Request-Id', () => {
  const echoed = async (line: string, id: string) =>
    (await callRaw(line, { headers: { 'X-Request-Id': id } })).headers.get('x-request-id')

  it.each(['a', 'Trace_01-z', 'x'.repeat(64)])('"%s" is returned in every kind of answer', async (id) => {
    for (const line of [
      'GET /beak/',
      'POST /beak/signout',
      'GET /beak/nothing',
      'DELETE /beak/',
      'OPTIONS /beak/',
    ])
      expect(await echoed(line, id)).toBe(id)
  })

  it.each(['', 'x'.repeat(65), 'a b', 'a.b', 'a/b', 'ä', '<b>', 'a,b', '{"a":1}'])(
    '"%s" is invalid and replaced by a new id',
    async (id) => {
      const made = await echoed('GET /beak/', id)
      expect(made).not.toBe(id)
      expect(made).toMatch(/^[A-Za-z0-9_-]{1,64}$/)
    },
  )
})

describe('cookies', () => {
  // security: site-1, check-28
  it('do not authenticate: a request with only a cookie has no credential', async () => {
    const { token } = await aDuckling()
    const names = [
      'token',
      'session',
      'next-auth.session-token',
      '__Secure-next-auth.session-token',
      '__Host-beak',
      'Authorization',
    ]
    const Cookie = names.map((name) => `${name}=${token}`).join('; ')
    for (const { line, method, path } of operations) {
      const auth = table[path.replace(/\/0$/, '/{n}')]?.[method]?.definition.auth
      if (auth === 'none' || auth === 'optional') continue
      const response = await callRaw(line, { headers: { Cookie } })
      expect([line, response.status]).toEqual([line, 401])
      await response.body?.cancel()
    }
  })

  it('are never set', async () => {
    const signup = await callRaw('POST /beak/signup', {
      body: { email: randomEmail(), display_name: 'Cookieless' },
    })
    expect(signup.status).toBe(200)
    expect(signup.headers.get('set-cookie')).toBeNull()
  })
})

describe('a path of the API without /beak', () => {
  const json = { accept: 'application/json' }

  it('gets a problem document that names the path, when a program sends it', async () => {
    const answer = await callRaw('POST /peck/request', { body: {} })
    expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'application/problem+json'])
    expect((await answer.json()).action).toContain('Did you mean /beak/peck/request?')
    expect((await (await callRaw('GET /beak/peck/nothing')).json()).action).not.toContain('Did you mean')
  })

  it.each([
    [true, '/peck/request', json],
    [true, '/peck/status?peck_id=1', json],
    [true, '/peck/request/', { 'content-type': 'application/json; charset=utf-8' }],
    [true, '/profile', json],
    [false, '/profile', { accept: 'text/html,application/json' }],
    [false, '/peck/request', {}],
    [false, '/profile', { accept: 'text/x-component', 'content-type': 'text/plain;charset=UTF-8' }],
    [false, '/', json],
    [false, '/pecks', json],
    [false, '/mcp', json],
  ])('is told from a page: %s for %s with %j', (lacksIt, target, headers) => {
    expect(lacksPrefix(table, target, headers)).toBe(lacksIt)
  })
})
