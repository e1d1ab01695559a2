/** How the packages of the clients are made: the same bytes from the same content, and a list of exactly what is there. */
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { ClientPackages } from '@/lib/kernel/service/client-packages'
import { fileNames, packFolder, version, writeIndex } from './packages.mjs'
import { storedGzip } from './stored-gzip.mjs'

const aFolder = () => mkdtempSync(join(tmpdir(), 'beak-pack-'))

describe('storedGzip', () => {
  it.each([0, 1, 65_534, 65_535, 65_536, 131_070, 200_000])('holds %i bytes as they are', (length) => {
    const bytes = Buffer.alloc(length, 'beak')
    expect(gunzipSync(storedGzip(bytes)).equals(bytes)).toBe(true)
  })

  it('has the same first bytes on every system', () => {
    expect(storedGzip(Buffer.from('a')).toString('hex')).toBe(
      '1f8b08000000000000ff010100feff61' + '43beb7e8' + '01000000',
    )
  })
})

describe('packFolder', () => {
  /** A package with the same content, written at another time by a user with other modes. */
  function aPackage(mode: number, time: Date): string {
    const folder = aFolder()
    mkdirSync(join(folder, 'dist'))
    const manifest = JSON.stringify({ name: '@beak/test', version: '1.0.0', bin: 'dist/main.js' })
    for (const [name, content] of [
      ['package.json', manifest],
      ['dist/main.js', '#!/usr/bin/env node\n'],
    ] as const) {
      writeFileSync(join(folder, name), content)
      chmodSync(join(folder, name), mode)
      utimesSync(join(folder, name), time, time)
    }
    return folder
  }

  it('makes the same bytes at another time and with other modes, and leaves nothing else behind', async () => {
    const target = aFolder()
    const pack = async (mode: number, time: Date) => {
      const name = await packFolder(aPackage(mode, time), target)
      expect(readdirSync(target)).toEqual([name])
      return readFileSync(join(target, name))
    }
    const first = await pack(0o600, new Date('2020-01-01'))
    expect((await pack(0o755, new Date('2026-11-24'))).equals(first)).toBe(true)
  })
})

describe('writeIndex', () => {
  it('lists the packages of this version with their digests, as the service reads them', async () => {
    const folder = aFolder()
    for (const name of Object.values(fileNames)) writeFileSync(join(folder, name), name)
    writeIndex(folder)
    const packages = new ClientPackages(folder)
    expect(packages.list).toMatchObject({ version, missing: [] })
    expect(packages.list.files.map(({ name }) => name)).toEqual(Object.values(fileNames))
    for (const file of packages.list.files) expect(String(await packages.read(file))).toBe(file.name)
  })

  it('removes packages of other versions', () => {
    const folder = aFolder()
    writeFileSync(join(folder, fileNames.typescript), '')
    writeFileSync(join(folder, 'beak-client-0.0.1.tgz'), '')
    writeFileSync(join(folder, 'beak_client-0.0.1-py3-none-any.whl'), '')
    writeIndex(folder)
    expect(readdirSync(folder).sort()).toEqual([fileNames.typescript, 'index.json'].sort())
  })

  it('says why there is no wheel, and what to do', () => {
    const folder = aFolder()
    writeIndex(folder)
    const { missing } = new ClientPackages(folder).list
    expect(missing).toEqual([
      { kind: 'python', reason: expect.stringMatching(/python3 .*(start the service again|prints why)/) },
    ])
  })
})
