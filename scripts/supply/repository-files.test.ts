import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { ignoreTest, repositoryFiles } from './repository-files.mjs'

const folders: string[] = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true })
})

/** A folder with ignored and other files. */
function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'beak-files-'))
  folders.push(folder)
  const ignored = [
    'node_modules/a/index.js',
    'lib/db/generated/client.ts',
    'app/build/x',
    'a.tsbuildinfo',
    '.env',
  ]
  for (const path of ['app/a.ts', 'lib/build', 'lib/generated/b.ts', 'sub/.env.example', ...ignored]) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), '')
  }
  symlinkSync('/etc/hostname', join(folder, 'link'))
  writeFileSync(
    join(folder, '.gitignore'),
    '# local\nnode_modules/\nbuild/\nlib/db/generated/\n*.tsbuildinfo\n\n.env\n',
  )
  return folder
}

const expected = ['.gitignore', 'app/a.ts', 'lib/build', 'lib/generated/b.ts', 'sub/.env.example']

describe('repositoryFiles', () => {
  it('lists files without the ignored ones when there is no repository', () => {
    expect(repositoryFiles(makeFolder())).toEqual(expected)
  })

  it('lists tracked and new files of a git repository, and no deleted ones', () => {
    const folder = makeFolder()
    for (const args of [
      ['init', '--quiet'],
      ['add', 'app'],
    ])
      spawnSync('git', args, { cwd: folder })
    expect(repositoryFiles(folder)).toEqual(expected)
    rmSync(join(folder, 'app/a.ts'))
    expect(repositoryFiles(folder)).toEqual(expected.filter((path) => path !== 'app/a.ts'))
  })

  it('reads the folder itself when git cannot read its repository', () => {
    const folder = makeFolder()
    writeFileSync(join(folder, '.git'), 'gitdir: /nowhere')
    expect(repositoryFiles(folder)).toEqual(expected)
  })
})

describe('ignoreTest', () => {
  it.each(['!keep', 'a/**/b', '[ab]', 'a?', 'a\\ b'])(
    'rejects the pattern %s, which it does not know',
    (line) => {
      expect(() => ignoreTest(line)).toThrow('use only names')
    },
  )
})
