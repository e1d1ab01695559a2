/** The packages of the clients, which the build wrote (`scripts/clients/packages.mjs`) and the service serves below `/clients/`. */
import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'
import { config, isLoopback } from '@/lib/kernel/config'
import { m } from '@/lib/kernel/messages'
import { describeError, log } from '@/lib/kernel/runtime/log'
import { singleton } from '@/lib/kernel/runtime/singleton'
import { sha256 } from '@/lib/kernel/secrets/secrets'
import { version } from './version'

const kindSchema = z.enum(['typescript', 'python', 'dev'])
export type PackageKind = z.infer<typeof kindSchema>

const listSchema = z.object({
  version: z.string(),
  files: z.array(
    z.object({
      // Without a slash, so it names a file of the folder.
      name: z.string().regex(/^[A-Za-z0-9][\w.-]*$/),
      kind: kindSchema,
      sha256: z.string().regex(/^[\da-f]{64}$/),
      size: z.int(),
    }),
  ),
  missing: z.array(z.object({ kind: kindSchema, reason: z.string() })),
})

export type PackageList = z.infer<typeof listSchema>
export type ClientPackage = PackageList['files'][number]

/** The file on disk does not have the digest of the list. */
export class ChangedPackage extends Error {}

function readList(folder: string): PackageList {
  try {
    return listSchema.parse(JSON.parse(readFileSync(join(folder, 'index.json'), 'utf8')))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    const reason = 'It is not built. `npm run clients:pack` builds the packages.'
    return { version, files: [], missing: kindSchema.options.map((kind) => ({ kind, reason })) }
  }
}

/** The packages in a folder, as its list names them. Other files are not served. */
export class ClientPackages {
  readonly list: PackageList
  readonly #folder: string
  /** What was checked, for all later requests: the file may change. */
  readonly #contents = new Map<string, Promise<Buffer>>()

  constructor(folder: string) {
    this.#folder = folder
    this.list = readList(folder)
  }

  /** Returns the bytes of a package of the list. Rejects with `ChangedPackage` when they do not have the digest of the list. */
  read(file: ClientPackage): Promise<Buffer> {
    const known = this.#contents.get(file.name)
    if (known !== undefined) return known
    const reading = this.#readChecked(file)
    this.#contents.set(file.name, reading)
    reading.catch(() => this.#contents.delete(file.name))
    return reading
  }

  async #readChecked({ name, sha256: expected }: ClientPackage): Promise<Buffer> {
    const bytes = await readFile(join(this.#folder, name)).catch(() => null)
    if (bytes === null || sha256(bytes).toString('hex') !== expected)
      throw new ChangedPackage(`${name} is missing, or it is not the file that was built.`)
    return bytes
  }
}

const workingFolder = () => /* turbopackIgnore: true */ process.cwd()
const folderOf = (root: string) => join(/* turbopackIgnore: true */ root, 'build', 'clients')

/** Whether the packages came with a release, or somebody has asked for those of these sources. */
export const arePackagesBuilt = (root = workingFolder()) => existsSync(join(folderOf(root), 'index.json'))

/** Returns the packages of this build. `npm start` does not build them: the first request does, which takes some seconds. */
export function clientPackages(): Promise<ClientPackages> {
  return singleton('client-packages', () => openPackages(workingFolder()))
}

/**
 * Returns the packages below a folder, and builds them when they are missing.
 *
 * @internal
 */
export async function openPackages(root: string): Promise<ClientPackages> {
  if (!arePackagesBuilt(root)) await buildPackages(root)
  return new ClientPackages(folderOf(root))
}

/** Builds the packages in a process of its own. Without the sources, or after a failure, the list stays empty. */
async function buildPackages(root: string): Promise<void> {
  const builder = join(/* turbopackIgnore: true */ root, 'scripts', 'build.mjs')
  if (!existsSync(builder)) return
  try {
    await promisify(execFile)(process.execPath, [builder, 'packages'])
  } catch (error) {
    log().error({ error: describeError(error) }, 'the packages of the clients cannot be built')
  }
}

export const insecureReason =
  'Commands are not shown, because this service has no https address: anybody on the way could replace the package. Set BASE_URL to the https address.'

/** Whether commands may name this service: it has https, or it is on this computer. */
export function mayInstall(baseUrl: string): boolean {
  return baseUrl.startsWith('https:') || isLoopback(baseUrl)
}

/** Returns the commands that install or run a package of this service. Empty when commands may not name its address. */
export function installCommands({ name, kind }: ClientPackage): { label: string; command: string }[] {
  const { baseUrl } = config()
  if (!mayInstall(baseUrl)) return []
  const url = `${baseUrl}/clients/${name}`
  return commands[kind].map(([label, make]) => ({
    label: typeof label === 'string' ? label : label(),
    command: make(url),
  }))
}

type Command = [label: string | (() => string), make: (url: string) => string]

const commands: Record<PackageKind, Command[]> = {
  typescript: [
    ['npm', (url) => `npm install ${url}`],
    ['pnpm', (url) => `pnpm add ${url}`],
  ],
  python: [
    ['pip', (url) => `pip install ${url}`],
    [m.clients_pip_offline_label, (url) => `pip install "beak-client[verify] @ ${url}"`],
    ['uv', (url) => `uv pip install ${url}`],
  ],
  dev: [['npx', (url) => `npx ${url} --json`]],
}
