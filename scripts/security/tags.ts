/** The rows of docs/security.md, and the tests that prove them: a comment `security: <id>` above a test or a group of tests has their ids. */
import { readFileSync } from 'node:fs'
import { pathsBelow } from '../architecture/tree'

export interface Row {
  id: string
  text: string
}

export interface Tag {
  id: string
  /** The file of the test. */
  path: string
  /** The line of the tag. */
  line: number
  /** The title of the test or group. Null when no test is below the tag. */
  title: string | null
}

const documentPath = 'docs/security.md'
const folders = ['app', 'components', 'e2e', 'lab', 'lib', 'packages', 'scripts']
const tests = /\.test\.tsx?$|^test_\w+\.py$/

/** Returns the rows of a Markdown text whose first cell is an id, such as `stranger-1` or `D1`. */
export function readRows(markdown: string): Row[] {
  return [...markdown.matchAll(/^\| ([a-z]+-\d+|D\d) \| (.+) \|$/gm)].map(([, id = '', text = '']) => ({
    id,
    text,
  }))
}

/** Returns the tags of a test file. */
export function readTags(path: string, source: string): Tag[] {
  return [...source.matchAll(/^[ \t]*(?:\/\/|#) security: (.*)\n/gm)].flatMap((match) => {
    const below = source.slice(match.index + match[0].length)
    const line = source.slice(0, match.index).split('\n').length
    const title = titleOf(below.replace(/^(?:[ \t]*(?:\/\/|#).*\n)+/, ''))
    return (match[1] ?? '').split(', ').map((id) => ({ id, path, line, title }))
  })
}

/** Returns the title of the test at the beginning of a text, also in a loop. The title of an `each` stands after its table. */
function titleOf(below: string): string | null {
  const text = below.replace(/^\s*for \([\s\S]*?\n(?=\s*(?:it|test|describe)\b)/, '')
  const python = /^\s*(?:async )?def (test_\w+)/.exec(text)
  if (python) return python[1] ?? null
  const start = /^\s*(?:it|test|describe)((?:\.\w+)*)/.exec(text)
  if (!start) return null
  const opening = /\.(?:each|for)$/.test(start[1] ?? '') ? /\)\(\s*(['"`])/ : /\(\s*(['"`])/
  const [found, quote = ''] = opening.exec(text) ?? []
  if (found === undefined) return null
  const title = text.slice(text.indexOf(found) + found.length)
  const end = title.search(new RegExp(`(?<!\\\\)${quote}`))
  return title.slice(0, end).replaceAll('\\', '')
}

/**
 * Returns what is wrong between rows and tags, one line for each fault.
 *
 * @internal
 */
export function faultsBetween(rows: Row[], tags: Tag[], withoutTest: string[]): string[] {
  const ids = rows.map(({ id }) => id)
  const proved = new Set(tags.map(({ id }) => id))
  return [
    ...ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `${id}: two rows have this id`),
    ...ids
      .filter((id) => !proved.has(id) && !withoutTest.includes(id))
      .map((id) => `${id}: no test has the comment "security: ${id}"`),
    ...withoutTest.filter((id) => proved.has(id)).map((id) => `${id}: has a test`),
    ...tags
      .filter(({ id }) => !ids.includes(id))
      .map(({ id, path, line }) => `${path}:${line}: ${documentPath} has no row ${id}`),
    ...tags
      .filter(({ title }) => title === null)
      .map(({ id, path, line }) => `${path}:${line}: no test is below the comment of ${id}`),
  ]
}

/** Reads the document and all tests of the repository. */
export function readSecurity(): { rows: Row[]; tags: Tag[]; document: string } {
  const document = readFileSync(documentPath, 'utf8')
  const paths = folders.flatMap((folder) => pathsBelow('.', folder, tests))
  return {
    document,
    rows: readRows(document),
    tags: paths.flatMap((path) => readTags(path, readFileSync(path, 'utf8'))),
  }
}
