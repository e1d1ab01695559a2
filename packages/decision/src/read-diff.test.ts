import { describe, expect, it } from 'vitest'
import { readDiff } from './read-diff'

const signs = { added: '+', removed: '-', same: ' ', place: '@' }
const shown = (value: unknown) => readDiff(value).map(({ kind, text }) => `${signs[kind]}${text}`)

describe('readDiff', () => {
  it('keeps common lines between changes', () => {
    const before = 'a\nretries = 3\ntimeout = 30\nz'
    const after = 'a\nretries = 10\ntimeout = 30\ndry_run = false\nz'
    expect(shown({ before, after })).toEqual([
      ' a',
      '-retries = 3',
      '+retries = 10',
      ' timeout = 30',
      '+dry_run = false',
      ' z',
    ])
  })

  it('shows every line of both texts', () => {
    const before = Array.from({ length: 40 }, (_, n) => `line ${n % 7}`)
    const after = Array.from({ length: 40 }, (_, n) => `line ${n % 5}`)
    const lines = readDiff({ before: before.join('\n'), after: after.join('\n') })
    const without = (kind: string) => lines.filter((line) => line.kind !== kind).map(({ text }) => text)
    expect(without('added')).toEqual(before)
    expect(without('removed')).toEqual(after)
  })

  it('compares values that are not text', () => {
    expect(shown({ before: 3, after: true })).toEqual(['-3', '+true'])
    expect(shown({ before: null, after: '' })).toEqual(['-null', '+'])
  })

  it('counts all lines as changed when there are too many to compare', () => {
    const many = (word: string) => Array.from({ length: 301 }, (_, n) => `${word} ${n}`).join('\n')
    const lines = readDiff({ before: many('old'), after: many('new') })
    expect(lines.filter(({ kind }) => kind === 'removed')).toHaveLength(301)
    expect(lines.filter(({ kind }) => kind === 'added')).toHaveLength(301)
  })

  it('reads a unified diff, and does not take its file names for changes', () => {
    expect(shown('--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old\n+new\n same')).toEqual([
      '@--- a/x',
      '@+++ b/x',
      '@@@ -1 +1 @@',
      '-old',
      '+new',
      ' same',
    ])
  })
})
