/** Who may import whom: the direction of the layers, the order of the domain folders, and no cycles. */
import { client, forbiddenImports, importsOf, productFiles, type Tree, withoutExtension } from './tree'

/** A layer imports from itself and from the layers before it. */
const layers = [
  client,
  'lib/kernel',
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
export const domainOrder = [
  'tlog',
  'sessions',
  'device-flow',
  'codes',
  'agents',
  'audit',
  'certs',
  'webhooks',
  'sso',
  'passkeys',
  'trust',
  'notifications',
  'pecks',
  'revocation',
  'identity',
  'accounts',
  'platform',
]

/** Returns the number of a file's layer, or -1 for a package or a file outside all layers. */
function layerOf(file: string): number {
  const path = file.replace(/^app\/(\.well-known|healthz|readyz)\//, 'app/beak/')
  return layers.findIndex((layer) => path.startsWith(`${layer}/`))
}

export function isAtOrBelow(path: string, layer: string): boolean {
  const number = layerOf(path)
  return number >= 0 && number <= layers.indexOf(layer)
}

const domainFolderOf = (file: string) => /^lib\/domain\/([^/]+)\//.exec(file)?.[1] ?? null

/** Imports from a later layer. An `import type` counts too: a type is knowledge of the later layer. */
export function importsOfLaterLayers(tree: Tree): string[] {
  return forbiddenImports(tree, (path, target) => layerOf(target) > layerOf(path))
}

/** Imports from `app` in `lib`, its fixtures included. Only tests may call the API's handlers. */
export function importsOfAppInLib(tree: Tree): string[] {
  return [...tree].flatMap(([path, text]) =>
    path.startsWith('lib/') && !/\.test\.tsx?$/.test(path)
      ? importsOf(path, text)
          .filter(({ target }) => target.startsWith('app/'))
          .map(({ target }) => `${path} imports ${target}`)
      : [],
  )
}

/** Files of `lib` that are in no layer. */
export function filesOutsideLayers(tree: Tree): string[] {
  return productFiles(tree)
    .map(([path]) => path)
    .filter((path) => path.startsWith('lib/') && layerOf(path) < 0)
}

/** Imports, types included, from a later folder of `lib/domain`. */
export function importsOfLaterDomainFolders(tree: Tree): string[] {
  return forbiddenImports(tree, (path, target) => {
    const [from, to] = [domainFolderOf(path), domainFolderOf(target)]
    return from !== null && to !== null && domainOrder.indexOf(to) > domainOrder.indexOf(from)
  })
}

/** Folders of `lib/domain` that the order does not name, and names without a folder. */
export function unorderedDomainFolders(tree: Tree): string[] {
  const folders = new Set(productFiles(tree).flatMap(([path]) => domainFolderOf(path) ?? []))
  return [
    ...[...folders]
      .filter((name) => !domainOrder.includes(name))
      .map((name) => `lib/domain/${name} has no place`),
    ...domainOrder.filter((name) => !folders.has(name)).map((name) => `lib/domain/${name} does not exist`),
  ]
}

/** Cycles of files that load each other. Types and `import()` load nothing at the start, so both are left out. */
export function importCycles(tree: Tree): string[] {
  const files = new Map(productFiles(tree).map(([path, text]) => [withoutExtension(path), { path, text }]))
  const finished = new Set<string>()
  const cycles: string[] = []
  const visit = (name: string, trail: string[]): void => {
    const file = files.get(name)
    if (!file || finished.has(name)) return
    if (trail.includes(file.path))
      return void cycles.push([...trail.slice(trail.indexOf(file.path)), file.path].join(' → '))
    for (const { target, kind } of importsOf(file.path, file.text))
      if (kind === 'value') visit(target, [...trail, file.path])
    finished.add(name)
  }
  for (const name of files.keys()) visit(name, [])
  return cycles
}
