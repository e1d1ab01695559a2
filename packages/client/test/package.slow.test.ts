/** The package as a program installs it: packed, without a registry, in plain Node and in strict TypeScript. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Beak, version } from '@beak/client'
import { buildSync } from 'esbuild'
import { beforeAll, describe, expect, it } from 'vitest'
import { randomEmail } from '@/lib/factories/ducklings'
import { codeFor } from '@/lib/factories/outbox'
import manifest from '../package.json'
import { readmeBlocks } from './readme'
import { startService } from './service'

const folder = mkdtempSync(join(tmpdir(), 'beak-client-'))
const url = startService()
/** The compiler that most programs use. The service itself has a newer one. */
const compiler = resolve('packages/client/node_modules/typescript/bin/tsc')

function run(command: string, args: string[], cwd = folder): string {
  return execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
}

/** Packs packages as they are, without their scripts. Returns the files. */
function pack(paths: string[]): string[] {
  const output = run('npm', [
    'pack',
    ...paths,
    '--ignore-scripts',
    '--silent',
    `--pack-destination=${folder}`,
  ])
  return output
    .trim()
    .split('\n')
    .map((name) => join(folder, name))
}

/** Packs the client as a publisher does: npm runs the scripts that build it. Returns the file. */
function packClient(): string {
  const env = { ...process.env }
  // Set where these tests were started by npm, which reads the .npmrc of the repository.
  delete env.npm_config_ignore_scripts
  const args = ['pack', resolve('packages/client'), '--silent', `--pack-destination=${folder}`]
  execFileSync('npm', args, { cwd: folder, env, stdio: ['ignore', 'ignore', 'inherit'] })
  return join(folder, `beak-client-${version}.tgz`)
}

/** Returns the folders of packages and of all their dependencies. */
function installed(names: string[]): string[] {
  return names.flatMap((name) => {
    const path = resolve('node_modules', name)
    const { dependencies = {} } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'))
    return [path, ...installed(Object.keys(dependencies))]
  })
}

beforeAll(() => {
  const others = installed(Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies }))
  const archives = [packClient(), ...pack([...new Set(others)])]
  writeFileSync(join(folder, 'package.json'), '{ "type": "module", "private": true }')
  run('npm', ['install', '--offline', '--ignore-scripts', '--no-audit', '--no-fund', '--silent', ...archives])
}, 300_000)

describe('the package', () => {
  const path = join(folder, 'node_modules', '@beak', 'client')

  it('has the files of every entry, and only what programs need', () => {
    const published = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')) as typeof manifest
    expect(published).not.toHaveProperty('private')
    expect(published.version).toBe(version)
    expect(published.publishConfig).toEqual({ access: 'public', provenance: true })
    // npm warns of packages with scripts for an installation.
    expect(Object.keys(published.scripts).filter((name) => /install|^prepare$/.test(name))).toEqual([])
    const entries = Object.values(published.exports).flatMap((entry) =>
      typeof entry === 'string' ? [entry] : Object.values(entry),
    )
    expect(entries.length).toBeGreaterThan(20)
    expect(entries.filter((entry) => !existsSync(join(path, entry)))).toEqual([])
    const files = readdirSync(path, { recursive: true }).map(String)
    expect(files).toEqual(expect.arrayContaining(['README.md', 'CHANGELOG.md', 'LICENSE', 'dist/index.js']))
    // The program of the hooks is bundled, because it is copied to where no packages are.
    const others = files.filter((name) => !name.startsWith('dist/program/'))
    expect(others.filter((name) => /\.test\.|fixture|(?<!\.d)\.ts$|^src|\.mjs$/.test(name))).toEqual([])
  })

  it('has the command line', () => {
    expect(run(join(folder, 'node_modules', '.bin', 'beak'), ['--help'])).toContain('Usage: beak <command>')
  })

  it('runs the quickstart of its README in plain Node', async () => {
    const [quickstart = ''] = readmeBlocks('js')
    writeFileSync(join(folder, 'quickstart.mjs'), quickstart)
    const child = spawn('node', ['quickstart.mjs'], {
      cwd: folder,
      env: { ...process.env, BEAK_URL: url() },
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        output += chunk
      })
    const prints = (text: string) => expect.poll(() => output, { timeout: 15_000 }).toContain(text)
    const email = randomEmail()

    await prints('Your email address: ')
    const asked = new Date()
    child.stdin.write(`${email}\n`)
    await prints('The code in your mail: ')
    child.stdin.write(`${await codeFor(email, asked)}\n`)
    await prints('approve the request')

    const visitor = new Beak({ url: url() })
    const again = new Date()
    await visitor.requestSignInCode({ email })
    const { token } = await visitor.signIn({ email, otp: await codeFor(email, again) })
    const person = visitor.with({ token })
    const waiting = async () => (await person.listPecks({ status: 'pending' })).items[0]?.peck_id
    await expect.poll(waiting).toBeDefined()
    await person.approvePeck({ peck_id: (await waiting()) ?? '' })

    const [code] = child.exitCode === null ? await once(child, 'exit') : [child.exitCode]
    expect(output).toContain('Scout may send:email. Uses left: 0\nA second time: consumed\n')
    expect(code).toBe(0)
  }, 120_000)

  it('compiles the examples of its README, as one strict program', () => {
    // The compiler reads no types of Node here.
    const environment = 'declare const process: { env: Record<string, string | undefined> }\n'
    mkdirSync(join(folder, 'examples'))
    writeFileSync(join(folder, 'examples', 'readme.ts'), environment + readmeBlocks('ts').join('\n'))
    const compilerOptions = {
      target: 'ES2022',
      module: 'NodeNext',
      lib: ['ES2022', 'DOM', 'DOM.AsyncIterable'],
      types: [],
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      noPropertyAccessFromIndexSignature: true,
      isolatedModules: true,
      skipLibCheck: false,
      noEmit: true,
    }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['examples'] }))
    const result = (() => {
      try {
        return run('node', [compiler])
      } catch (error) {
        return String((error as { stdout: string }).stdout)
      }
    })()
    expect(result).toBe('')
  }, 120_000)

  it('leaves out of a bundle what the program does not use', () => {
    const bytes = (contents: string) =>
      buildSync({
        stdin: { contents, resolveDir: folder },
        bundle: true,
        minify: true,
        format: 'esm',
        write: false,
      }).outputFiles[0]?.contents.length
    const error = bytes("import { BeakError } from '@beak/client'; console.log(BeakError)")
    const client = bytes("import { Beak } from '@beak/client'; console.log(Beak)")
    expect(error).toBeLessThan(2_000)
    expect(client).toBeLessThan(47_000)
  })

  it('has no any in its types', () => {
    const declarations = readdirSync(path, { recursive: true })
      .map(String)
      .filter((name) => name.endsWith('.d.ts'))
    // What Express adds to a request is `any` in the types of Express too, and a rule has a constraint of that name.
    const code = (name: string) =>
      readFileSync(join(path, name), 'utf8')
        .replace(/\/\*[\s\S]*?\*\//g, '')
        .replace(/(?:body|params|query)\?: any;/g, '')
        .replace(/\bany\??: (?!any\b)/g, '')
    expect(declarations.length).toBeGreaterThan(5)
    expect(declarations.filter((name) => /\bany\b/.test(code(name)))).toEqual([])
  })
})
