/**
 * Runs the steps of the Dockerfile without a container engine: each stage is a folder with the few programs that its steps call, and RUN runs
 * in it with `chroot`. So the folder at the end has what the image has above its base. Needs root on Linux.
 */
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'

/** What the steps and the start script call. The base image has them all, and npm. */
const programs = ['sh', 'chown', 'dirname', 'gzip', 'ln', 'mkdir', 'readlink', 'rm', 'sha256sum', 'tar']
const npm = ['usr/local/bin/npm', 'usr/local/lib/node_modules/npm/package.json', 'opt/yarn-v1/package.json']

export interface Image {
  /** The folder that the container would see as `/`. */
  root: string
  workdir: string
  user: string
  env: Record<string, string>
  /** Entry point, arguments and the command of the health check. */
  command: string[]
  health: string[]
}

const output = (command: string, ...args: string[]) => execFileSync(command, args, { encoding: 'utf8' })

/** Returns the path of a program. */
const find = (name: string) => output('sh', '-c', `command -v ${name}`).trim()

/** Copies, because a hard link would let a step change the program of this machine. */
function place(source: string, target: string): void {
  mkdirSync(dirname(target), { recursive: true })
  if (!existsSync(target)) copyFileSync(source, target)
}

/** Copies a program with its libraries. */
function placeProgram(root: string, path: string, target: string): void {
  place(path, join(root, target))
  for (const [library] of output('ldd', path).matchAll(/\/\S+/g)) place(library, join(root, library))
}

function makeBase(base: string): string {
  const root = mkdtempSync(join(base, 'image-'))
  chmodSync(root, 0o755)
  for (const name of programs) placeProgram(root, find(name), `bin/${name}`)
  placeProgram(root, process.execPath, 'usr/local/bin/node')
  // Parts of the C library that a package with native code needs, and no program above.
  const libraries = dirname(/\S+\/libc\.so\.6/.exec(output('ldd', process.execPath))?.[0] ?? '')
  for (const name of ['librt.so.1', 'libresolv.so.2'])
    if (existsSync(join(libraries, name))) place(join(libraries, name), join(root, libraries, name))
  mkdirSync(join(root, 'tmp'), { recursive: true })
  for (const path of npm) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), '')
  }
  return root
}

/** Returns the instructions as pairs of name and rest. Lines that end with a backslash go on. */
function instructionsOf(dockerfile: string): [name: string, rest: string][] {
  return dockerfile
    .replace(/^#.*\n/gm, '')
    .replace(/\\\n/g, ' ')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [, name = '', rest = ''] = /^(\w+)\s+(.*)$/.exec(line) ?? []
      return [name, rest]
    })
}

const list = (text: string) => JSON.parse(text.slice(text.indexOf('['))) as string[]

/** The stages of one Dockerfile. Each method runs the instruction of its name. */
class Builder {
  image: Image = { root: '', workdir: '/', user: '0:0', env: {}, command: [], health: [] }
  private readonly stages = new Map<string, Image>()
  private variables: Record<string, string> = {}

  constructor(
    private readonly base: string,
    private readonly context: string,
    private readonly args: Record<string, string>,
  ) {}

  perform(instruction: string, text: string): void {
    const rest = text.replace(/\$\{(\w+)\}/g, (all, name: string) => this.variables[name] ?? all)
    const { image } = this
    if (instruction === 'FROM') this.from(rest)
    else if (instruction === 'ARG') this.variables[rest] = this.args[rest] ?? ''
    else if (instruction === 'ENV') Object.assign(image.env, Object.fromEntries([rest.split('=')]))
    else if (instruction === 'WORKDIR') this.workdir(rest)
    else if (instruction === 'COPY') this.copy(rest.split(/\s+/))
    else if (instruction === 'RUN') this.run(rest)
    else if (instruction === 'USER') image.user = rest
    else if (instruction === 'ENTRYPOINT') image.command = list(rest)
    else if (instruction === 'CMD') image.command.push(...list(rest))
    else if (instruction === 'HEALTHCHECK') image.health = list(rest)
    // They say something to the engine, and change no file.
    else if (!['EXPOSE', 'VOLUME'].includes(instruction))
      throw new Error(`image-steps.ts does not know ${instruction}.`)
  }

  private from(rest: string): void {
    this.image = { root: makeBase(this.base), workdir: '/', user: '0:0', env: {}, command: [], health: [] }
    this.variables = {}
    this.stages.set(/ AS (\w+)$/.exec(rest)?.[1] ?? 'last', this.image)
  }

  private workdir(path: string): void {
    this.image.workdir = path
    mkdirSync(join(this.image.root, path), { recursive: true })
  }

  private copy(words: string[]): void {
    const stage = /^--from=(\w+)$/.exec(words[0] ?? '')?.[1]
    const source = stage === undefined ? this.context : (this.stages.get(stage)?.root ?? '')
    const paths = stage === undefined ? words : words.slice(1)
    const target = paths.pop() ?? ''
    const isFolder = /(^\.|\/)$/.test(target)
    for (const path of paths) {
      const place = join(this.image.root, resolve(this.image.workdir, target), isFolder ? basename(path) : '')
      cpSync(join(source, path), place, { recursive: true, verbatimSymlinks: true })
    }
  }

  private run(command: string): void {
    const { root, workdir, env } = this.image
    execFileSync(find('chroot'), [root, '/bin/sh', '-c', `cd ${workdir} && ${command}`], {
      env: { NODE_ENV: 'production', PATH: '/usr/local/bin:/bin', ...env, ...this.variables },
    })
  }
}

/** Runs every step in new folders below `base`. `context` is the folder that `docker build` gets, and `args` are its `--build-arg`s. Throws for an unknown step. */
export function runImageSteps(base: string, context: string, args: Record<string, string>): Image {
  const builder = new Builder(base, context, args)
  for (const [name, rest] of instructionsOf(readFileSync(join(context, 'Dockerfile'), 'utf8')))
    builder.perform(name, rest)
  return builder.image
}

/** Returns the command line that runs a command as the container would. */
export function commandIn({ root, workdir, user }: Image, command: string[]): string[] {
  return [
    find('chroot'),
    `--userspec=${user}`,
    root,
    '/bin/sh',
    '-c',
    `cd ${workdir} && exec "$@"`,
    'sh',
    ...command,
  ]
}
