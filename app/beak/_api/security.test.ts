/** Compares docs/security.md with tests and code: each named test exists, and the document has each item that the code cites. */
import { describe, expect, it } from 'vitest'
import { citingFiles, findSource, readSource, tableRows } from '@/lib/fixtures/source-files'

const security = readSource('docs/security.md')

/** Each named test: the file, and the part of a title after › up to the next semicolon, cell or sentence. */
const named = [...security.matchAll(/`([^`\s]+\.test\.ts)`(?: › ([^;|\n]*[^;|\s.]))?/g)].map(
  ([, file = '', title]) => ({
    file,
    title: title ?? null,
  }),
)

/**
 * Returns the lines with titles: the first lines of `it`, `test`, `describe` and `test.describe`, and the ends of `each` tables. Quotes in
 * titles may be escaped.
 */
function titlesIn(source: string): string {
  const starts = source.matchAll(
    /^\s*(?:(?:it|test|describe|test\.describe)\b|\](?: as const)?\)\()[^\n]*(?:\n\s+['"`][^\n]*)?/gm,
  )
  return [...starts].map(([text]) => text.replaceAll("\\'", "'")).join('\n')
}

describe('docs/security.md', () => {
  it('names only test files that exist', () => {
    const missing = named.filter(({ file }) => findSource(file) === null)
    expect(missing).toEqual([])
    expect(named.length).toBeGreaterThan(150)
  })

  it('names only titles that exist in their files', () => {
    const missing = named.filter(({ file, title }) => {
      const source = findSource(file)
      return title !== null && source !== null && !titlesIn(source).includes(title)
    })
    expect(missing.map(({ file, title }) => `${file} › ${title}`)).toEqual([])
  })

  it('names a test for every threat', () => {
    const [, rest = ''] = security.split('\n## Attackers\n')
    const attackers = [...(rest.split('\n## ')[0] ?? '').matchAll(/^### (.+)$/gm)].map(
      ([, name = '']) => name,
    )
    expect(attackers.length).toBeGreaterThan(12)
    const open = attackers
      .flatMap((attacker) => tableRows(security, attacker))
      .filter((row) => row.length !== 3 || !/^`[^`]+\.test\.ts`/.test(row[2] ?? ''))
    expect(open).toEqual([])
  })

  it('has the 76 checks in order', () => {
    const numbers = tableRows(security, 'Checklist').map(([number]) => Number(number))
    expect(numbers).toEqual(Array.from({ length: 76 }, (_, index) => index + 1))
  })

  it('has every item that the code cites as the security bar', () => {
    const cited = citingFiles().flatMap(({ path, text }) =>
      [...text.matchAll(/security bar, (item (\d+)|D(\d))/g)].map((match) => ({
        path,
        item: match[1] ?? '',
      })),
    )
    expect(cited.length).toBeGreaterThan(8)
    const known = [
      ...tableRows(security, 'Checklist').map(([number]) => `item ${number}`),
      ...tableRows(security, 'Accepted').map(([name]) => name),
    ]
    expect(cited.filter(({ item }) => !known.includes(item))).toEqual([])
  })
})
