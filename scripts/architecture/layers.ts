/** Who may import whom: the direction of the layers, the order of the domain folders, and no cycles. */
import {
  client,
  forbiddenImports,
  importsOf,
  productFiles,
  shared,
  type Tree,
  withoutExtension,
} from './tree'

/** A layer imports from itself and from the layers before it. */
export const layers = [
  ...shared,
  'lib/kernel',
  'lib/db',
  'lib/infrastructure',
  'lib/domain',
  'lib/worker',
  'lib/factories',
  'lib/operator',
  'lib/http',
  'components',
  'app/beak',
  'app/_web',
  'app/_passkeys',
  'app/_shell',
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
  'rules',
  'passkeys',
  'approvers',
  'trust',
  'notifications',
  'channels',
  'handles',
  'invitations',
  'pecks',
  'revocation',
  'identity',
  'accounts',
  'metrics',
  'status',
  'newsletter',
  'support',
  'oauth',
  'mcp',
  'signing-keys',
  'secret-rotation',
  'retention',
  'integrity',
  'backup',
]

/** Each folder or file of `lib/domain/pecks` imports from itself and from those before it. */
export const peckOrder = [
  'params',
  'rows',
  'state',
  'display',
  'risk',
  'schema',
  'record',
  'asker-history',
  'as-before',
  'statements',
  'grant',
  'new-peck',
  'mail',
  'rules',
  'reach',
  'decide',
  'request',
  'blocks',
  'contacts',
  'receipts',
  'use',
  'lists',
  'follow',
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

/** The parts of a folder, which are folders and files, in the order in which they may import each other. */
interface Order {
  folder: string
  parts: string[]
}

const orders: Order[] = [
  { folder: 'lib/domain', parts: domainOrder },
  { folder: 'lib/domain/pecks', parts: peckOrder },
]

/** Returns the part of a folder that a file is in, or null when the file is elsewhere. */
function partOf(path: string, { folder }: Order): string | null {
  if (!path.startsWith(`${folder}/`)) return null
  const [name = ''] = path.slice(folder.length + 1).split('/')
  return withoutExtension(name)
}

/** Imports from a later layer. An `import type` counts too: a type is knowledge of the later layer. */
export function importsOfLaterLayers(tree: Tree): string[] {
  return forbiddenImports(tree, (path, target) => layerOf(path) >= 0 && layerOf(target) > layerOf(path))
}

const isIn = (path: string, folders: readonly string[]) =>
  folders.some((folder) => path.startsWith(`${folder}/`))

/**
 * Imports between the client and the service, and out of the shared packages, types included. The client stands above the contract that the
 * service keeps, and runs in other programs; what both need is in the shared packages, which import nothing else of ours.
 */
export function importsBetweenClientAndService(tree: Tree): string[] {
  return forbiddenImports(tree, (path, target) => {
    const own = isIn(path, shared) ? shared : isIn(path, [client]) ? [client, ...shared] : null
    if (own === null) return isIn(target, [client])
    return (
      /^(app|components|e2e|examples|lab|lib|packages|scripts)\//.test(target) &&
      !isIn(target, own) &&
      !shared.includes(target)
    )
  })
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

/** Imports, types included, from a later part of `lib/domain` or of `lib/domain/pecks`. */
export function importsOfLaterParts(tree: Tree): string[] {
  return orders.flatMap((order) =>
    forbiddenImports(tree, (path, target) => {
      const [from, to] = [partOf(path, order), partOf(target, order)]
      return from !== null && to !== null && order.parts.indexOf(to) > order.parts.indexOf(from)
    }),
  )
}

/** Parts that an order does not name, and names without a part. */
export function unorderedParts(tree: Tree): string[] {
  return orders.flatMap((order) => {
    const { folder, parts } = order
    const found = new Set(productFiles(tree).flatMap(([path]) => partOf(path, order) ?? []))
    return [
      ...[...found].filter((name) => !parts.includes(name)).map((name) => `${folder}/${name} has no place`),
      ...parts.filter((name) => !found.has(name)).map((name) => `${folder}/${name} does not exist`),
    ]
  })
}

/** Cycles of files that import each other. An `import type` and an `import()` count too: two such files can only be read together. */
export function importCycles(tree: Tree): string[] {
  const files = new Map(productFiles(tree).map(([path, text]) => [withoutExtension(path), { path, text }]))
  const finished = new Set<string>()
  const cycles: string[] = []
  const visit = (name: string, trail: string[]): void => {
    const file = files.get(name)
    if (!file || finished.has(name)) return
    if (trail.includes(file.path))
      return void cycles.push([...trail.slice(trail.indexOf(file.path)), file.path].join(' → '))
    for (const { target } of importsOf(file.path, file.text)) visit(target, [...trail, file.path])
    finished.add(name)
  }
  for (const name of files.keys()) visit(name, [])
  return cycles
}
