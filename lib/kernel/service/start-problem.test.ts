import { expect, it } from 'vitest'
import { folderProblem, StartProblem } from './start-problem'

const failing = (code: string, syscall = 'open') =>
  Object.assign(new Error(`${code}: ${syscall}`), { code, syscall })

it.each([
  ['EACCES', 'write permission'],
  ['EROFS', 'read-only'],
  ['ENOSPC', 'The disk is full'],
  ['ENOTDIR', 'is a file'],
])('%s of the data folder says what to do', (code, words) => {
  const problem = folderProblem('/data/beak', failing(code))
  expect(problem).toBeInstanceOf(StartProblem)
  expect((problem as Error).message).toMatch(/^The data folder \/data\/beak cannot be written \(\w+\)\. /)
  expect((problem as Error).message).toContain(words)
})

it('leaves errors that nobody can mend as they are', () => {
  for (const error of [
    new Error('a fault'),
    failing('EBADF'),
    failing('ENOENT', 'spawn node'),
    Object.assign(new Error(), { code: 'EACCES' }),
  ])
    expect(folderProblem('/data/beak', error)).toBe(error)
})
