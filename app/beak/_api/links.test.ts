/** Tests the links of the documents (each file exists, each anchor is a heading), and the tables of packages in docs/dependencies.md. */
import { existsSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, it } from 'vitest'
import { filesBelow, readSource, tableRows } from '@/lib/fixtures/source-files'

const documents = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...filesBelow('docs', /\.md$/)]

/** Returns the Markdown without code blocks, in which brackets are not links and lines with # are not headings. */
const textOf = (path: string) => readSource(path).replace(/^```[\s\S]*?^```/gm, '')

/** Returns the anchors of a document, as GitHub makes them from its headings. */
function anchorsOf(path: string): string[] {
  return [...textOf(path).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

const links = documents.flatMap((path) =>
  [
    ...textOf(path)
      .replace(/`[^`]*`/g, '')
      .matchAll(/\]\(([^)\s]+)\)/g),
  ]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => {
      const [file = '', anchor] = target.split('#')
      return { from: path, target, to: file === '' ? path : normalize(join(dirname(path), file)), anchor }
    }),
)

it('finds the links between the documents', () => {
  expect(links.length).toBeGreaterThan(50)
  expect(new Set(links.map(({ from }) => from)).size).toBeGreaterThan(3)
})

it('finds the file of each relative link', () => {
  const broken = links.filter(({ to }) => !existsSync(to))
  expect(broken.map(({ from, target }) => `${from}: ${target}`)).toEqual([])
})

it('finds the heading of each anchor', () => {
  const broken = links.filter(
    ({ to, anchor }) => anchor !== undefined && !(to.endsWith('.md') && anchorsOf(to).includes(anchor)),
  )
  expect(broken.map(({ from, target }) => `${from}: ${target}`)).toEqual([])
})

it('finds a row with a reason in docs/dependencies.md for each package', () => {
  const packages = ['package.json', 'clients/typescript/package.json'].flatMap((path) => {
    const manifest = JSON.parse(readSource(path)) as Record<string, object>
    const { dependencies, devDependencies, peerDependencies } = manifest
    return Object.keys({ ...dependencies, ...devDependencies, ...peerDependencies })
  })
  const tables = readSource('docs/dependencies.md')
  const sections = ['In production', 'Of the TypeScript client', 'For the build, development and tests']
  const rows = sections.flatMap((section) => tableRows(tables, section))
  const named = rows.flatMap(([names = '']) => names.split(', '))
  expect([...new Set(named)].sort()).toEqual([...new Set(packages)].sort())
  expect(rows.filter(([, reason]) => !reason)).toEqual([])
})
