import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { selectTests } from './select-tests.mjs'

describe('the arguments of npm test', () => {
  it('select every test when there are none', () => {
    expect(selectTests([])).toEqual({ isAll: true, source: [], built: [], python: [], options: [] })
  })

  it('select tests of the source code without the built server', () => {
    expect(selectTests(['app/beak/peck', 'inbox', 'e2e-notes'])).toEqual({
      isAll: false,
      source: ['app/beak/peck', 'inbox', 'e2e-notes'],
      built: [],
      python: [],
      options: [],
    })
  })

  it('find tests of the Python client', () => {
    expect(selectTests(['clients/python/tests/test_verify.py', 'clients/typescript'])).toMatchObject({
      source: ['clients/typescript'],
      built: [],
      python: ['clients/python/tests/test_verify.py'],
    })
  })

  it('find tests of the built server in every spelling of their folder', () => {
    const built = ['e2e', 'e2e/', './e2e/inbox.test.ts', join(process.cwd(), 'e2e', 'inbox.test.ts')]
    expect(selectTests(['lib', ...built])).toMatchObject({ source: ['lib'], built })
  })

  it('leave options and their values to the test runner', () => {
    expect(selectTests(['lib/db', '-t', 'e2e', '--bail=1'])).toMatchObject({
      source: ['lib/db'],
      built: [],
      options: ['-t', 'e2e', '--bail=1'],
    })
  })
})
