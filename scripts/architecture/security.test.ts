/** Compares the rows of docs/security.md with the tests that prove them, and with what the code cites. */
import { describe, expect, it } from 'vitest'
import { citingFiles } from '@/lib/fixtures/source-files'
import { faultsBetween, readRows, readSecurity, readTags } from '../security/tags'

const { rows, tags, document } = readSecurity()

/** The rows that say "No test". */
const withoutTest = ['check-70']

describe('docs/security.md', () => {
  it('has a test for every row', () => {
    expect(rows.length).toBeGreaterThan(300)
    expect(faultsBetween(rows, tags, withoutTest)).toEqual([])
    expect(rows.filter(({ text }) => text.includes('No test:')).map(({ id }) => id)).toEqual(withoutTest)
  })

  it('has an id in every row of a threat', () => {
    const [, rest = ''] = document.split('\n## Attackers\n')
    const lines = (rest.split('\n## ')[0] ?? '').split('\n').filter((line) => line.startsWith('| '))
    const heads = lines.filter((line) => line === '| id | threat | protection |').length
    expect(heads).toBeGreaterThan(12)
    expect(lines.filter((line) => readRows(line).length === 0)).toHaveLength(heads)
  })

  it('has the 76 checks in order', () => {
    const numbers = rows
      .map(({ id }) => /^check-(\d+)$/.exec(id)?.[1])
      .filter((number) => number !== undefined)
    expect(numbers.map(Number)).toEqual(Array.from({ length: 76 }, (_, index) => index + 1))
  })

  it('has every row that the code cites as the security bar', () => {
    const cited = citingFiles().flatMap(({ path, text }) =>
      [...text.matchAll(/\(security bar, ([\w-]+)|; security bar, ([\w-]+)/g)].map((match) => ({
        path,
        id: match[1] ?? match[2],
      })),
    )
    expect(cited.length).toBeGreaterThan(8)
    expect(cited.filter(({ id }) => !rows.some((row) => row.id === id))).toEqual([])
  })
})

describe('the rule', () => {
  const table = readRows('| host-1 | lies | Found. |\n| host-2 | errs | Stops. |\n| lie | what |')

  it('finds the title of a test, of a group, of a table of tests, of a loop and of a test in Python', () => {
    const source = `
// security: host-1
it('reports a lie', () => {})
  // security: host-1, host-2
  // biome-ignore lint/a: b
  describe('a host\\'s fault', () => {
// security: host-2
it.each([
  ['a', f('b')],
])('stops at %s', () => {})
// security: host-2
for (const [a] of [
  ['b'],
])
  test('stops in a loop', () => {})
# security: host-2
async def test_stops() -> None:
`
    expect(readTags('a.test.ts', source).map(({ id, title }) => `${id} ${title}`)).toEqual([
      'host-1 reports a lie',
      "host-1 a host's fault",
      "host-2 a host's fault",
      'host-2 stops at %s',
      'host-2 stops in a loop',
      'host-2 test_stops',
    ])
    expect(faultsBetween(table, readTags('a.test.ts', source), [])).toEqual([])
  })

  it('finds a row without a test, an id of two rows, a tag of no row, and a tag above no test', () => {
    const source = "// security: host-1, host-3\nconst a = 1\nit('stops', () => {})"
    expect(faultsBetween([...table, ...table.slice(1)], readTags('a.test.ts', source), ['host-1'])).toEqual([
      'host-2: two rows have this id',
      'host-2: no test has the comment "security: host-2"',
      'host-2: no test has the comment "security: host-2"',
      'host-1: has a test',
      'a.test.ts:1: docs/security.md has no row host-3',
      'a.test.ts:1: no test is below the comment of host-1',
      'a.test.ts:1: no test is below the comment of host-3',
    ])
  })
})
