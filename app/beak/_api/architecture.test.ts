/** The rules of the house that no compiler checks. Each rule reads the source as it stands. */
import { dirname, join, normalize } from 'node:path'
import { describe, expect, it } from 'vitest'
import { filesBelow, readSource } from '@/lib/fixtures/source-files'
import { methods } from './serve'
import { table } from './table'

const isTest = (path: string) =>
  /\.test\.tsx?$/.test(path) ||
  path.startsWith('lib/fixtures/') ||
  ['call', 'documented'].some((name) => path === `app/beak/_api/${name}.ts`)
const all = [...filesBelow('app'), ...filesBelow('components'), ...filesBelow('lib')]
const sources = all.filter((path) => !isTest(path))
const text = new Map(all.map((path) => [path, readSource(path)]))
const read = (path: string) => text.get(path) ?? ''

/** Modules a file imports at load time, as paths below the root without extension; packages as they are. */
function importsOf(path: string): string[] {
  const found = [
    ...read(path).matchAll(
      /^\s*(?:import|export)\s(?!type\b)[^'"]*?from\s+['"]([^'"]+)['"]|^import\s+['"]([^'"]+)['"]/gm,
    ),
  ]
  return found.map((match) => resolveImport(path, match[1] ?? match[2] ?? ''))
}

function resolveImport(path: string, name: string): string {
  if (name.startsWith('@/')) return name.slice(2)
  return name.startsWith('.') ? normalize(join(dirname(path), name)) : name
}

/** A layer imports from itself and from the layers before it. */
const layers = [
  'lib/kernel',
  'lib/proofs',
  'lib/db',
  'lib/infrastructure',
  'lib/domain',
  'lib/worker',
  'lib/operator',
  'lib/http',
  'app/beak',
  'app/_web',
  'components',
  'app',
]
/** Each folder of `lib/domain` imports from itself and from the folders before it. */
const domainOrder = [
  'tlog',
  'sessions',
  'codes',
  'agents',
  'audit',
  'certs',
  'webhooks',
  'sso',
  'passkeys',
  'trust',
  'pecks',
  'revocation',
  'identity',
  'accounts',
  'platform',
]
function layerOf(file: string): number {
  const path = file.replace(/^app\/(\.well-known|healthz|readyz)\//, 'app/beak/')
  return layers.findIndex((layer) => path.startsWith(`${layer}/`))
}
const domainFolderOf = (file: string) => /^lib\/domain\/([^/]+)/.exec(file)?.[1] ?? null

describe('the layers', () => {
  it('are imported in one direction', () => {
    const upward = sources.flatMap((path) =>
      importsOf(path)
        .filter((name) => layerOf(`${name}/`) > layerOf(path))
        .map((name) => `${path} imports ${name}`),
    )
    expect(upward).toEqual([])
  })

  it('name every folder of lib', () => {
    expect(sources.filter((path) => path.startsWith('lib/') && layerOf(path) < 0)).toEqual([])
  })

  it('keep the order of the domain folders', () => {
    const backward = sources.flatMap((path) =>
      importsOf(path)
        .filter((name) => {
          const [from, to] = [domainFolderOf(path), domainFolderOf(name)]
          return from !== null && to !== null && domainOrder.indexOf(to) > domainOrder.indexOf(from)
        })
        .map((name) => `${path} imports ${name}`),
    )
    expect(backward).toEqual([])
    const folders = new Set(sources.map(domainFolderOf).filter((name) => name !== null))
    expect([...folders].sort()).toEqual([...domainOrder].sort())
  })

  it('have no import cycles', () => {
    const byName = new Map(sources.map((path) => [path.replace(/\.tsx?$/, ''), path]))
    const done = new Set<string>()
    const cycles: string[] = []
    const visit = (path: string, trail: string[]): void => {
      if (trail.includes(path))
        return void cycles.push([...trail.slice(trail.indexOf(path)), path].join(' → '))
      if (done.has(path)) return
      for (const name of importsOf(path)) {
        const next = byName.get(name)
        if (next) visit(next, [...trail, path])
      }
      done.add(path)
    }
    for (const path of sources) visit(path, [])
    expect(cycles).toEqual([])
  })

  it('keep Next out of the API and the domain', () => {
    const offenders = sources.filter(
      (path) =>
        (path.startsWith('app/beak/') || path.startsWith('lib/')) &&
        importsOf(path).some((name) => /^next(\/|$)/.test(name)),
    )
    expect(offenders).toEqual([])
  })

  it('keep requests and answers out of the domain', () => {
    const domain = sources.filter((path) => layerOf(path) <= layers.indexOf('lib/domain'))
    const offenders = domain.filter((path) =>
      /\b(new Response|: Request\b|: Response\b|<Response>)/.test(read(path)),
    )
    // The webhook sender and the Twilio client are clients, not handlers.
    expect(
      offenders.filter(
        (path) => !path.startsWith('lib/infrastructure/mail/') && !path.startsWith('lib/domain/webhooks/'),
      ),
    ).toEqual([])
  })
})

describe('each thing in one place', () => {
  const only = (pattern: RegExp, allowed: string[]) =>
    sources.filter((path) => pattern.test(read(path)) && !allowed.includes(path))

  it('reads the clock in lib/kernel/clock.ts', () => {
    expect(only(/Date\.now\(|new Date\(\)/, ['lib/kernel/clock.ts'])).toEqual([])
  })
  it('reads the environment in lib/kernel/config.ts', () => {
    // The build replaces the one in app/_web/base-path.ts by its value.
    expect(only(/process\.env/, ['lib/kernel/config.ts', 'app/_web/base-path.ts'])).toEqual([])
  })
  it('puts the path of BASE_URL before every address that Next does not complete', () => {
    const raw = [
      /<(?:a|img|form|source|script)\s(?:(?!=>)[^<>])*?\b(?:href|src|action)=(?:"\/|\{[`'"]\/)/,
      /\b(?:fetch|EventSource|sendBeacon|location\.(?:assign|replace))\([`'"]\//,
      /\blocation(?:\.href)? = /,
    ]
    const pages = sources.filter((path) => path.startsWith('app/') || path.startsWith('components/'))
    expect(pages.filter((path) => raw.some((pattern) => pattern.test(read(path))))).toEqual([])
  })
  it('knows database error numbers in lib/db/conflict.ts', () => {
    expect(only(/'P[12]0\d\d'|'23505'|'40P01'/, ['lib/db/conflict.ts'])).toEqual([])
  })
  it('deletes passkeys in lib/domain/passkeys/delete.ts, which logs each', () => {
    expect(
      only(/passkey\.delete\w*\(|DELETE FROM "Passkey"|INSERT INTO "Passkey"/, [
        'lib/domain/passkeys/delete.ts',
      ]),
    ).toEqual([])
    expect(only(/passkey\.(create|upsert)\w*\(/, ['lib/domain/passkeys/register.ts'])).toEqual([])
  })
  it('chooses statuses in the failure table and lib/http', () => {
    expect(
      sources.filter(
        (path) =>
          path.startsWith('lib/') &&
          !path.startsWith('lib/http/') &&
          /status: ?[1-5]\d\d\b/.test(read(path)) &&
          path !== 'lib/kernel/failures.ts',
      ),
    ).toEqual([])
  })
})

describe('the route table', () => {
  const folders = sources.filter(
    (path) =>
      /^app\/(beak|\.well-known|healthz|readyz)\//.test(path) &&
      path.endsWith('/route.ts') &&
      !path.includes('[...unknown]'),
  )

  it('names every route of the tree, and nothing else', () => {
    const paths = folders.map((path) =>
      path.slice(3, -'/route.ts'.length).replace(/\[(?:\.{3})?(\w+)\]/, '{$1}'),
    )
    expect(Object.keys(table).sort()).toEqual(paths.sort())
  })

  it('maps each path to the module in its folder', () => {
    for (const path of folders) {
      const key = path.slice(3, -'/route.ts'.length).replace(/\[(?:\.{3})?(\w+)\]/, '{$1}')
      const exported = methods.filter((method) => new RegExp(`export const ${method} =`).test(read(path)))
      expect(
        methods.filter((method) => table[key]?.[method]),
        key,
      ).toEqual(exported)
    }
  })

  it('has short routes that decide nothing', () => {
    expect(folders.filter((path) => /^\s*(if|switch|for|while|try)\b/m.test(read(path)))).toEqual([])
    expect(folders.filter((path) => read(path).split('\n').length > 80)).toEqual([])
  })

  it('has tests beside every route or its group', () => {
    const tested = all
      .filter((path) => path.endsWith('.test.ts'))
      .map(read)
      .join('\n')
    const missing = Object.entries(table).flatMap(([path, route]) =>
      methods
        .filter((method) => route[method] && !tested.includes(`${method} ${path.replace(/\{\w+\}$/, '')}`))
        .map((method) => `${method} ${path}`),
    )
    expect(missing).toEqual([])
  })

  it('names the attempted event of everything a signed-in caller can change', () => {
    const silent = Object.entries(table).flatMap(([path, route]) =>
      methods
        .filter(
          (method) =>
            method !== 'GET' &&
            route[method] &&
            route[method].definition.auth !== 'none' &&
            !route[method].definition.attempt,
        )
        .map((method) => `${method} ${path}`),
    )
    expect(silent).toEqual([])
  })
})

describe('the size of things', () => {
  it('keeps files below 300 lines', () => {
    // Tables, which are read line by line and not as a whole.
    const tables = ['lib/kernel/failures.ts']
    expect(sources.filter((path) => read(path).split('\n').length > 300 && !tables.includes(path))).toEqual(
      [],
    )
  })
})
