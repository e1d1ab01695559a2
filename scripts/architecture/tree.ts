/** The source files that the architecture rules read, and the imports of each. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

/** Path below the root → text. */
export type Tree = ReadonlyMap<string, string>

export interface Import {
  /** Path below the root without extension, or the name of a package. */
  target: string
  /** `import type`: nothing loads. `import()`: it loads later. */
  kind: 'value' | 'type' | 'dynamic'
}

export const client = 'packages/client/src'
/** The packages that the service and the client share, and the judge of the client: a package imports only earlier ones. */
export const shared = ['packages/proofs/src', 'packages/decision/src', 'packages/judge/src']

const roots = ['app', client, 'components', 'lib', ...shared]
const skipped = new Set(['generated', 'node_modules'])
const testHelpers = [
  ...['call', 'documented', 'valid-requests'].map((name) => `app/beak/_api/${name}.ts`),
  'app/oauth/open-doors.ts',
  'app/(site)/docs/_content/programs.ts',
]

/** Returns the paths of the files below a folder whose names match. Skips packages and generated modules. */
export function pathsBelow(root: string, folder: string, names: RegExp): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    if (entry.isDirectory()) return skipped.has(entry.name) ? [] : pathsBelow(root, path, names)
    return names.test(entry.name) ? [path] : []
  })
}

/** Reads every TypeScript file of the service and its tests, or of other folders. The files of public/ are in the tree without their content. */
export function readTree(root: string, folders = roots): Tree {
  const sources = folders.flatMap((folder) => pathsBelow(root, folder, /\.tsx?$/))
  return new Map([
    ...sources.map((path) => [path, readFileSync(join(root, path), 'utf8')] as const),
    ...pathsBelow(root, 'public', /./).map((path) => [path, ''] as const),
  ])
}

/** Tests, and the modules that only tests use. */
export function isTest(path: string): boolean {
  return /\.test\.tsx?$/.test(path) || path.startsWith('lib/fixtures/') || testHelpers.includes(path)
}

/** The files of a tree without its tests. */
export function productFiles(tree: Tree): [path: string, text: string][] {
  return [...tree].filter(([path]) => !isTest(path))
}

export const withoutExtension = (path: string) => path.replace(/\.tsx?$/, '')

/** Returns what an import names: a path below the root without extension, or the name of a package. */
export function targetOf(path: string, name: string): string {
  const target = name.startsWith('@/')
    ? name.slice(2)
    : /^@beak\/\w+(?:\/|$)/.test(name)
      ? name.replace(/^@beak\/(\w+)/, 'packages/$1/src')
      : name.startsWith('.')
        ? normalize(join(dirname(path), name))
        : name
  return withoutExtension(target)
}

const importStatement = /^[ \t]*(?:import|export)\s(?:(type)\s(?!from\b))?[^'";]*?\bfrom\s*['"]([^'"]+)['"]/gm
const bareImport = /^[ \t]*import\s*['"]([^'"]+)['"]/gm
const importCall = /(\btypeof\s+)?\bimport\(\s*['"]([^'"]+)['"]/g

/**
 * Returns what a file imports. `import { type A }` counts as a value import: TypeScript keeps such an import, so the module loads.
 */
export function importsOf(path: string, text: string): Import[] {
  const code = text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
  const statements = [...code.matchAll(importStatement)].map(
    ([, type, name = '']): Import => ({ target: targetOf(path, name), kind: type ? 'type' : 'value' }),
  )
  const bare = [...code.matchAll(bareImport)].map(
    ([, name = '']): Import => ({ target: targetOf(path, name), kind: 'value' }),
  )
  const calls = [...code.matchAll(importCall)].map(
    ([, type, name = '']): Import => ({ target: targetOf(path, name), kind: type ? 'type' : 'dynamic' }),
  )
  return [...statements, ...bare, ...calls]
}

/** Returns one line for each forbidden import of the product, for a violation list. */
export function forbiddenImports(
  tree: Tree,
  isForbidden: (path: string, target: string, kind: Import['kind']) => boolean,
): string[] {
  return productFiles(tree).flatMap(([path, text]) =>
    importsOf(path, text)
      .filter(({ target, kind }) => isForbidden(path, target, kind))
      .map(({ target, kind }) => `${path} imports ${target}${kind === 'type' ? ' (type)' : ''}`),
  )
}
