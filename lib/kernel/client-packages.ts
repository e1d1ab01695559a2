/** The packages of the clients, which the build wrote (`scripts/clients/packages.mjs`) and the service serves below `/clients/`. */
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { config, isLoopback } from './config'
import { sha256 } from './secrets'
import { singleton } from './singleton'
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

/** The file on disk is not the one that the list names. */
export class ChangedPackage extends Error {}

function readList(folder: string): PackageList {
  try {
    return listSchema.parse(JSON.parse(readFileSync(join(folder, 'index.json'), 'utf8')))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    const reason = 'It is not built. `npm start` and `npm run clients:pack` build the packages.'
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

/** Returns the packages of this build. */
export function clientPackages(): ClientPackages {
  const folder = join(/* turbopackIgnore: true */ process.cwd(), 'build', 'clients')
  return singleton('client-packages', () => new ClientPackages(folder))
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
  return commands[kind].map(([label, make]) => ({ label, command: make(url) }))
}

type Command = [label: string, make: (url: string) => string]

const commands: Record<PackageKind, Command[]> = {
  typescript: [
    ['npm', (url) => `npm install ${url}`],
    ['pnpm', (url) => `pnpm add ${url}`],
  ],
  python: [
    ['pip', (url) => `pip install ${url}`],
    ['pip, with offline checks', (url) => `pip install "beak-client[verify] @ ${url}"`],
    ['uv', (url) => `uv pip install ${url}`],
  ],
  dev: [['npx', (url) => `npx ${url} --json`]],
}
