import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { selectTests } from './select-tests.mjs'

const nothing = {
  isAll: false,
  isSlow: false,
  since: null,
  source: [],
  built: [],
  python: [],
  title: null,
  options: [],
}

describe('the arguments of npm test', () => {
  it('select every test when there are none', () => {
    expect(selectTests([])).toEqual({ ...nothing, isAll: true })
  })

  it('add the slow proofs to every test', () => {
    expect(selectTests(['--slow'])).toEqual({ ...nothing, isAll: true, isSlow: true })
  })

  it('run a slow proof that a path names', () => {
    const path = 'packages/client/test/package.slow.test.ts'
    expect(selectTests([path])).toEqual({ ...nothing, isSlow: true, source: [path] })
  })

  it('select the tests of changed files, compared with the last commit or another one', () => {
    expect(selectTests(['--changed'])).toEqual({ ...nothing, since: 'HEAD' })
    expect(selectTests(['--changed=main'])).toEqual({ ...nothing, since: 'main' })
  })

  it('select tests of the source code without the built server', () => {
    const source = ['app/beak/peck', 'inbox', 'e2e-notes']
    expect(selectTests(source)).toEqual({ ...nothing, source })
  })

  it('find tests of the Python client', () => {
    expect(selectTests(['packages/client-python/tests/test_verify.py', 'packages/client'])).toMatchObject({
      source: ['packages/client'],
      built: [],
      python: ['packages/client-python/tests/test_verify.py'],
    })
  })

  it('find tests of the built server in every spelling of their folder', () => {
    const built = ['e2e', 'e2e/', './e2e/inbox.test.ts', join(process.cwd(), 'e2e', 'inbox.test.ts')]
    expect(selectTests(['lib', ...built])).toMatchObject({ source: ['lib'], built })
  })

  it.each([['-t', 'e2e'], ['-t=e2e'], ['-g', 'e2e'], ['--grep', 'e2e'], ['--testNamePattern=e2e']])(
    'read the wanted title for all runners: %s',
    (...given) => {
      expect(selectTests(['lib/db', ...given, '--bail=1'])).toMatchObject({
        source: ['lib/db'],
        built: [],
        title: 'e2e',
        options: ['--bail=1'],
      })
    },
  )
})
