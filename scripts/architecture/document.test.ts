/** Compares docs/architecture.md with the folders and the rules. */
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

  it.each(['.', 'app', 'lib', 'scripts', 'clients', 'docs'])('names each folder in %s', (folder) => {
    const named = namedPaths().map((path) => path.replace(/^content\/docs\/$/, 'content/'))
    expect(foldersIn(folder).filter((path) => !named.includes(path))).toEqual([])
  })

  it('has the order of the layers', () => {
    const [, named = ''] =
      /^\*\*A layer imports only earlier layers\*\*: (.*?) < the\s+pages\./ms.exec(text) ?? []
    expect([...named.matchAll(/`([^`]+)`/g)].map((match) => match[1])).toEqual(layers.slice(0, -1))
  })
})
