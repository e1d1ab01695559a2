import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { sectionsOf, tooLong } from './changelog'

const changelog = readFileSync('CHANGELOG.md', 'utf8')

describe('the changelog', () => {
  it('has at most 80 lines for each release, of at most 160 characters', () => {
    expect(sectionsOf(changelog).length).toBeGreaterThan(1)
    expect(tooLong(changelog)).toEqual([])
  })

  it('begins with the section for what is not released', () => {
    expect(sectionsOf(changelog)[0]?.version).toBe('Unreleased')
  })
})

describe('the rule', () => {
  const lines = (count: number) => 'a line\n'.repeat(count)

  it('counts the heading of a release, and not the empty lines after its text', () => {
    expect(tooLong(`# Changelog\n\n## [2.0.0]\n${lines(79)}\n\n## [1.0.0]\n${lines(79)}`)).toEqual([])
    expect(tooLong(`# Changelog\n\n## [2.0.0]\n${lines(80)}\n## [1.0.0]\n${lines(5)}`)).toEqual([
      '2.0.0: 81 lines',
    ])
  })

  it('finds a line that hides the text of several', () => {
    expect(tooLong(`## [1.0.0]\n\n- ${'word '.repeat(40)}\n`)).toEqual([`1.0.0: - ${'word '.repeat(7)}wor…`])
  })

  it('lets the section for what is not released grow until the release', () => {
    expect(tooLong(`## [Unreleased]\n${lines(200)}\n## [1.0.0]\n`)).toEqual([])
  })
})
