import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { readPlace } from './place'

const base = mkdtempSync(join(tmpdir(), 'beak-place-'))
afterAll(() => rmSync(base, { recursive: true }))

let folder: string
let answered: Record<string, string>
beforeEach(() => {
  folder = mkdtempSync(join(base, 'folder-'))
  answered = {}
})

/** Reads the place as a hook does: what is seen for the first time counts as answered from then on. */
async function changedFiles(): Promise<string[]> {
  const { place, seen } = await readPlace(folder, '/home/ada', answered, [])
  Object.assign(answered, seen)
  return place.changedBuildFiles
}

describe('readPlace', () => {
  it('takes build files of a folder that is new to it as they are, and names those that change later', async () => {
    const path = join(folder, 'package.json')
    writeFileSync(path, '{}')
    expect(await changedFiles()).toEqual([])
    writeFileSync(path, '{"scripts":{}}')
    expect(await changedFiles()).toEqual([path])
    expect(await changedFiles()).toEqual([path])
    writeFileSync(path, '{}')
    expect(await changedFiles()).toEqual([])
  })

  it.each([true, false])(
    'names a build file that is written later, when the folder had others before: %s',
    async (others) => {
      if (others) writeFileSync(join(folder, 'Cargo.toml'), '')
      expect(await changedFiles()).toEqual([])
      const path = join(folder, 'Makefile')
      writeFileSync(path, 'test:')
      expect(await changedFiles()).toEqual([path])
    },
  )
})
