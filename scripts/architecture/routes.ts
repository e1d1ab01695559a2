/** The shape of a route file, and the table that names every route. */
import { isTest, productFiles, type Tree, withoutExtension } from './tree'

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
/** The second file has lines that the first one includes. */
const tableFiles = ['table', 'consent-routes', 'rule-routes', 'outside-beak'].map(
  (name) => `app/beak/_api/${name}.ts`,
)
const linesMax = 30

interface Route {
  file: string
  /** As in the table: `/beak/peck/{id}`. */
  path: string
  text: string
  methods: string[]
}

/** Returns the route files of the API. `[...unknown]` serves the table under Next and is no route of its own. */
function routesOf(tree: Tree): Route[] {
  return productFiles(tree)
    .filter(
      ([file]) =>
        /^app\/(beak|\.well-known|healthz|readyz)\/(.+\/)?route\.ts$/.test(file) &&
        !file.includes('[...unknown]'),
    )
    .map(([file, text]) => ({
      file,
      path: file.slice('app'.length, -'/route.ts'.length).replace(/\[(?:\.{3})?(\w+)\]/g, '{$1}'),
      text,
      methods: methods.filter((method) => new RegExp(`^export const ${method}\\b`, 'm').test(text)),
    }))
}

/** Returns path → route file without extension, as the imports of the table say. */
function readTable(tree: Tree): Map<string, string> {
  const text = tableFiles.map((file) => tree.get(file) ?? '').join('\n')
  const modules = new Map(
    [...text.matchAll(/^import \* as (\w+) from '(?:\.\.\/\.\.|(\.\.))\/([^']+)'/gm)].map(
      ([, name = '', near, rest = '']) => [name, near ? `app/beak/${rest}` : `app/${rest}`],
    ),
  )
  const rows = [...text.matchAll(/^ {2}'(\/[^']*)': (\w+),$/gm)]
  return new Map(rows.map(([, path = '', name = '']) => [path, modules.get(name) ?? '']))
}

/** Routes that the table lacks or maps to another file, and rows without a route. */
export function tableMismatches(tree: Tree): string[] {
  const table = readTable(tree)
  const routes = routesOf(tree)
  return [
    ...routes
      .filter(({ path, file }) => table.get(path) !== withoutExtension(file))
      .map(({ path, file }) => `${file} is not at ${path} in the table`),
    ...[...table.keys()]
      .filter((path) => !routes.some((route) => route.path === path))
      .map((path) => `${path} has no route file`),
  ]
}

/** Returns how many lines hold code. A text over several lines, such as a long `description`, counts as one line, and `remarks` count as none. */
export function linesOfCode(text: string): number {
  const joined = text
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/^(\s*\w+:)\n\s*(['"`])/gm, '$1 $2')
    .replace(/(['"`]) \+\n\s*(['"`])/g, '$1 + $2')
    .replace(/^( *)remarks: \[\n[\s\S]*?\n\1\],$/gm, '')
  return joined.split('\n').filter((line) => line.trim() !== '' && !line.trim().startsWith('//')).length
}

export function longRoutes(tree: Tree): string[] {
  return routesOf(tree)
    .map(({ file, text }) => ({ file, lines: linesOfCode(text) }))
    .filter(({ lines }) => lines > linesMax)
    .map(({ file, lines }) => `${file} has ${lines} lines of code, more than ${linesMax}`)
}

/** Routes that decide or repeat: such code belongs to the domain. */
export function routesWithStatements(tree: Tree): string[] {
  return routesOf(tree)
    .filter(({ text }) =>
      /\b(if|switch|for|while)\s*\(|\btry\s*\{/.test(text.replace(/(['"`]).*?\1|\/\/.*/g, '')),
    )
    .map(({ file }) => file)
}

/** Methods that no test names as `POST /beak/…`, in a title or in a call. */
export function routesWithoutTest(tree: Tree): string[] {
  const tests = [...tree]
    .filter(([path]) => isTest(path) && path.endsWith('.test.ts'))
    .map(([, text]) => text)
    .join('\n')
  return routesOf(tree).flatMap(({ path, methods }) =>
    methods
      .map((method) => `${method} ${path}`)
      .filter((name) => !tests.includes(name.replace(/\{\w+\}$/, ''))),
  )
}

/** Reads that are a POST, so that what they look for stands in no address. */
const readsByPost = ['POST /beak/spaceducks/find', 'POST /beak/rule/rehearse', 'POST /beak/consent/view']

/** Methods that change something for a caller who is signed in, without an event for the audit log when the attempt fails. */
export function routesWithoutAttempt(tree: Tree): string[] {
  return routesOf(tree).flatMap(({ path, text }) =>
    text
      .split(/^export const /m)
      .slice(1)
      .filter((definition) => /^(POST|PUT|PATCH|DELETE)\b/.test(definition))
      .filter((definition) => !/^ {2}auth: 'none'/m.test(definition) && !/^ {2}attempt: /m.test(definition))
      .map((definition) => `${definition.split(/\W/)[0]} ${path}`)
      .filter((name) => !readsByPost.includes(name)),
  )
}

/** Addresses of the files that Next makes from modules of these names. */
const metadataAddresses: Record<string, string> = {
  '/robots': '/robots.txt',
  '/sitemap': '/sitemap.xml',
  '/manifest': '/manifest.webmanifest',
}

/** Returns the address that a module of `app` answers, or null when it answers none. Parameters stay as they are. */
function addressOf(path: string): string | null {
  const parts = path.split('/').filter((part) => !/^\(.*\)$/.test(part))
  const address = `/${withoutExtension(parts.slice(1).join('/'))}`
  if (/\/(route|page)$/.test(address)) return address.replace(/\/(route|page)$/, '') || '/'
  return (
    metadataAddresses[address] ??
    (/\/(icon|apple-icon|opengraph-image|twitter-image)$/.test(address) ? address : null)
  )
}

/** Modules that answer an address in development and not in a build, which takes only `.tsx` (`pageExtensions` in next.config.mjs). */
export function filesLeftOutOfBuild(tree: Tree): string[] {
  const ofApi = new Set(routesOf(tree).map(({ file }) => file))
  return productFiles(tree)
    .map(([path]) => path)
    .filter((path) => path.startsWith('app/') && path.endsWith('.ts'))
    .filter((path) => addressOf(path) !== null && !ofApi.has(path))
}

/** Files of `public` at an address that a module of `app` answers too. */
export function staticFilesAtRoutes(tree: Tree): string[] {
  const routes = new Map(
    productFiles(tree)
      .filter(([path]) => path.startsWith('app/'))
      .map(([path]) => [addressOf(path), path]),
  )
  return [...tree.keys()]
    .filter((path) => path.startsWith('public/'))
    .flatMap((path) => {
      const route = routes.get(path.slice('public'.length))
      return route ? [`${path} duplicates ${route}`] : []
    })
}
