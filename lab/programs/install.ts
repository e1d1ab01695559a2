/** Installs programs of others in `build/programs`, each alone, with the version of `lab/programs/package.json` and without install scripts. */
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { npmCommand, root } from '@/scripts/prepare.mjs'

const packages = {
  claude: '@anthropic-ai/claude-code',
  codex: '@openai/codex',
  inspector: '@modelcontextprotocol/inspector',
  node: 'node',
} as const
export type ProgramName = keyof typeof packages

export interface Installed {
  version: string
  /** The words that start the program. */
  command: string[]
  /** The file of the program. */
  executable: string
}

const limitMs = 240_000

/** The package `node` gets the binary by an install script, from one of these packages. */
function nodePackage(): string {
  const platform = process.platform === 'win32' ? 'win' : process.platform
  const isAppleChip = platform === 'darwin' && process.arch === 'arm64'
  return `${isAppleChip ? 'node-bin' : 'node'}-${platform}-${process.arch}`
}

/** Returns the file of Claude Code for this platform: its package starts it only after an install script has copied it. */
function claudeBinary(modules: string): string {
  const scope = join(modules, '@anthropic-ai')
  const names = readdirSync(scope).flatMap((name) => [
    join(scope, name, 'claude'),
    join(scope, name, 'claude.exe'),
  ])
  const found = names.find(existsSync)
  if (found === undefined) throw new Error('There is no Claude Code for this platform.')
  return found
}

async function commandOf(name: ProgramName, modules: string): Promise<string[]> {
  if (name === 'claude') return [claudeBinary(modules)]
  if (name === 'node') return [join(modules, nodePackage(), 'bin', 'node')]
  const folder = join(modules, packages[name])
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const script = join(folder, typeof bin === 'string' ? bin : (Object.values<string>(bin)[0] ?? ''))
  // Codex starts on each Node, and others may need a newer one than Beak.
  const node = name === 'codex' ? process.execPath : ((await installProgram('node')).command[0] ?? '')
  return [node, script]
}

/** Returns a program, and installs it first when that version is missing. Throws `Error` with the words of npm when it cannot be installed. */
export async function installProgram(name: ProgramName): Promise<Installed> {
  const { dependencies } = JSON.parse(readFileSync(join(root, 'lab', 'programs', 'package.json'), 'utf8'))
  const version: string = dependencies[packages[name]]
  const folder = join(root, 'build', 'programs', `${name}-${version}`)
  const stamp = join(folder, '.installed')
  if (!existsSync(stamp)) {
    mkdirSync(folder, { recursive: true })
    const wanted = { [name === 'node' ? nodePackage() : packages[name]]: version }
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies: wanted }))
    const options = [
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      '--no-package-lock',
      '--fetch-retries=1',
      '--loglevel=error',
    ]
    try {
      await promisify(execFile)(npmCommand, ['install', ...options], { cwd: folder, timeout: limitMs })
    } catch (error) {
      const { stderr = '' } = error as { stderr?: string }
      throw new Error(`${packages[name]} ${version} could not be installed: ${stderr.trim() || error}`)
    }
    writeFileSync(stamp, '')
  }
  const command = await commandOf(name, join(folder, 'node_modules'))
  return { version, command, executable: command.at(-1) ?? '' }
}
