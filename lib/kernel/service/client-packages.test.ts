import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { config, useConfig } from '@/lib/kernel/config'
import { sha256 } from '@/lib/kernel/secrets/secrets'
import {
  ChangedPackage,
  ClientPackages,
  installCommands,
  openPackages,
  type PackageKind,
} from './client-packages'

const before = config()
let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'beak-packages-'))
})
afterEach(() => {
  rmSync(folder, { recursive: true })
  useConfig(before)
})

function aFile(name: string, kind: PackageKind = 'typescript') {
  writeFileSync(join(folder, name), name)
  return { name, kind, sha256: sha256(name).toString('hex'), size: name.length }
}

function writeList(files: object[]): ClientPackages {
  writeFileSync(join(folder, 'index.json'), JSON.stringify({ version: '9.9.9', files, missing: [] }))
  return new ClientPackages(folder)
}

describe('ClientPackages', () => {
  it('reads a package of its list', async () => {
    const file = aFile('beak-client-9.9.9.tgz')
    expect(String(await writeList([file]).read(file))).toBe(file.name)
  })

  it('refuses a file with another digest than in the list, and reads it once it has this digest', async () => {
    const file = aFile('beak-client-9.9.9.tgz')
    const packages = writeList([file])
    writeFileSync(join(folder, file.name), 'something else')
    await expect(packages.read(file)).rejects.toThrow(ChangedPackage)
    rmSync(join(folder, file.name))
    await expect(packages.read(file)).rejects.toThrow(ChangedPackage)
    writeFileSync(join(folder, file.name), file.name)
    expect(String(await packages.read(file))).toBe(file.name)
  })

  it('goes on with what it has checked when the file changes later', async () => {
    const file = aFile('beak-client-9.9.9.tgz')
    const packages = writeList([file])
    await packages.read(file)
    writeFileSync(join(folder, file.name), 'something else')
    expect(String(await packages.read(file))).toBe(file.name)
  })

  it.each(['../../package.json', '/etc/passwd', '.env', 'a/b.tgz', ''])(
    'refuses a list that names something outside its folder: %s',
    (name) => {
      expect(() => writeList([{ name, kind: 'dev', sha256: 'ab'.repeat(32), size: 1 }])).toThrow()
    },
  )

  it('says how to build the packages when there are none', () => {
    const { list } = new ClientPackages(folder)
    expect(list.files).toEqual([])
    expect(list.missing.map(({ kind }) => kind)).toEqual(['typescript', 'python', 'dev'])
    expect(list.missing[0]?.reason).toContain('npm run clients:pack')
  })
})

describe('openPackages', () => {
  /** Writes a builder in place of scripts/build.mjs, which runs in `folder`. It writes down each run. */
  function writeBuilder(program: string): void {
    mkdirSync(join(folder, 'scripts'))
    writeFileSync(
      join(folder, 'scripts', 'build.mjs'),
      `import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
      const here = (path) => new URL(path, import.meta.url)
      appendFileSync(here('runs'), process.argv.slice(2) + ';')
      ${program}`,
    )
  }
  const runs = () => readFileSync(join(folder, 'scripts', 'runs'), 'utf8')
  const writesList = `mkdirSync(here('../build/clients'), { recursive: true })
    writeFileSync(here('../build/clients/index.json'), '{"version":"9.9.9","files":[],"missing":[]}')`

  it('builds the packages when there is no list, and only then', async () => {
    writeBuilder(writesList)
    expect((await openPackages(folder)).list.version).toBe('9.9.9')
    expect((await openPackages(folder)).list.version).toBe('9.9.9')
    expect(runs()).toBe('packages;')
  })

  it('has an empty list, with what to do, when the build fails', async () => {
    writeBuilder('process.exit(1)')
    const { list } = await openPackages(folder)
    expect(list.files).toEqual([])
    expect(list.missing[0]?.reason).toContain('npm run clients:pack')
    expect(runs()).toBe('packages;')
  })
})

describe('installCommands', () => {
  const file = { name: 'beak-client-9.9.9.tgz', kind: 'typescript' as const, sha256: '', size: 1 }

  it('names the address of the service', () => {
    useConfig({ baseUrl: 'https://beak.test/prod' })
    expect(installCommands(file).map(({ command }) => command)).toContain(
      'npm install https://beak.test/prod/clients/beak-client-9.9.9.tgz',
    )
  })

  it.each(['http://beak.test', 'http://192.168.1.2:3000', 'http://127.0.0.1.evil.test'])(
    'has no command for plain http beyond this computer: %s',
    (baseUrl) => {
      useConfig({ baseUrl })
      expect(installCommands(file)).toEqual([])
    },
  )
})
