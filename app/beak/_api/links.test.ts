/** Tests the links of the documents (each file exists, each anchor is a heading), and the tables of packages in docs/dependencies.md. */
import { existsSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, it } from 'vitest'
import { filesBelow, readSource, tableRows } from '@/lib/fixtures/source-files'

const documents = [
  ...['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md'],
  // The links of docs/pages are addresses of the service, which tests of app/(site)/docs check.
  ...filesBelow('docs', /\.md$/).filter((path) => !path.startsWith('docs/pages/')),
]

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

const tables = readSource('docs/dependencies.md')

/** Returns the packages in a table of docs/dependencies.md. */
const rowsOf = (section: string) => tableRows(tables, section)
const namesIn = (...sections: string[]) =>
  sections
    .flatMap(rowsOf)
    .flatMap(([names = '']) => names.split(', '))
    .sort()

it('finds a row with a reason in docs/dependencies.md for each package', () => {
  const manifests = ['', 'packages/client/', 'packages/judge/'].map((folder) => `${folder}package.json`)
  const packages = manifests.flatMap((path) => {
    const manifest = JSON.parse(readSource(path)) as Record<string, object>
    const { dependencies, devDependencies, peerDependencies } = manifest
    return Object.keys({ ...dependencies, ...devDependencies, ...peerDependencies })
  })
  const sections = ['In production', 'For the build', 'Of the TypeScript client', 'For development and tests']
  expect([...new Set(namesIn(...sections))]).toEqual([...new Set(packages)].sort())
  expect(sections.flatMap(rowsOf).filter(([, reason]) => !reason)).toEqual([])
})

it('finds what builds and runs the service in the tables of production and build, as npm start installs it', () => {
  const { dependencies, devDependencies } = JSON.parse(readSource('package.json')) as Record<string, object>
  const needed = namesIn('In production', 'For the build')
  expect(needed).toEqual(expect.arrayContaining(Object.keys({ ...dependencies }).sort()))
  expect(needed.filter((name) => name in { ...devDependencies })).toEqual([])
  expect(namesIn('For development and tests')).toEqual(Object.keys({ ...devDependencies }).sort())
})
