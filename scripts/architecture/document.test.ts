/** Compares docs/architecture.md with the folders and the rules, and CONTRIBUTING.md with the recipes. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { layers } from './layers'

const text = readFileSync('docs/architecture.md', 'utf8')
const notCommitted = new Set(['build', 'node_modules', 'test-results'])

/** Returns the paths that the tree in the document names. A line with a deeper indentation continues a description. */
function namedPaths(): string[] {
  const [, tree = ''] = /^```text\n([\s\S]*?)^```$/m.exec(text) ?? []
  const above: string[] = []
  return tree.split('\n').flatMap((line) => {
    const [, indent = '', names = ''] = /^( {0,6})((?:[\w().@/-]+(?:\/|\.\w+)(?: |$))+)/.exec(line) ?? []
    const level = indent.length / 2
    const paths = names
      .split(' ')
      .filter((name) => name !== '')
      .map((name) => `${above[level - 1] ?? ''}${name}`)
    if (paths[0]) above[level] = paths[0]
    return paths
  })
}

const foldersIn = (folder: string) =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.') && !notCommitted.has(entry.name))
    .map(({ name }) => (folder === '.' ? `${name}/` : `${folder}/${name}/`))

describe('docs/architecture.md', () => {
  it('names only files and folders that exist', () => {
    expect(namedPaths()).toContain('lib/infrastructure/')
    expect(namedPaths().filter((path) => !existsSync(path))).toEqual([])
  })

  it.each(['.', 'app', 'lib', 'scripts', 'packages', 'lab', 'docs'])('names each folder in %s', (folder) => {
    const named = namedPaths()
    expect(foldersIn(folder).filter((path) => !named.includes(path))).toEqual([])
  })

  it('has the order of the layers', () => {
    const [, named = ''] =
      /^\*\*A layer imports only earlier layers\*\*: (.*?) < the\s+pages\./ms.exec(text) ?? []
    expect([...named.matchAll(/`([^`]+)`/g)].map((match) => match[1])).toEqual(layers.slice(0, -1))
  })
})

describe('CONTRIBUTING.md', () => {
  const contributing = readFileSync('CONTRIBUTING.md', 'utf8')

  it('has at most 150 lines', () => expect(contributing.split('\n').length).toBeLessThanOrEqual(151))

  it('names each recipe in its table', () => {
    const recipes = readdirSync('docs/recipes').map((name) => `docs/recipes/${name}`)
    const named = [...contributing.matchAll(/^\| \[[^\]]+\]\((docs\/recipes\/[^)]+)\)/gm)].map(
      ([, path]) => path,
    )
    expect(recipes).toContain('docs/recipes/endpoint.md')
    expect(recipes.filter((path) => !named.includes(path))).toEqual([])
  })
})
