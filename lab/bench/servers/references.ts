/**
 * The reference servers. Their packages are installed in a folder of their own on first use, so that Beak has no dependency
 * on them. The versions are fixed in `lab/package.json`.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { npmCommand } from '../../../scripts/prepare.mjs'
import { atEnd } from '../cleanup'
import { benchSecret } from './beak'
import { freePort } from './free-port'
import { root, type Server, startServer, workFolder } from './server'

const folder = join(workFolder, 'references')

/** Copies the programs and installs their packages, unless the same packages are installed already. */
export function prepareReferences(): void {
  const source = join(root, 'lab', 'bench', 'references')
  const stamp = join(folder, 'node_modules', '.installed')
  const wanted = readFileSync(join(root, 'lab', 'package.json'), 'utf8')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), wanted)
  cpSync(source, folder, { recursive: true })
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return
  process.stderr.write('Installing the packages of the reference servers …\n')
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error']
  try {
    execFileSync(npmCommand, ['install', ...options], { cwd: folder, stdio: 'pipe' })
  } catch (error) {
    const { stderr } = error as { stderr?: Buffer }
    throw new Error(`The packages of the reference servers could not be installed:\n${stderr ?? error}`)
  }
  writeFileSync(stamp, wanted)
}

async function start(name: string, program: string, ready: string, env = {}): Promise<Server> {
  return startServer({ name, port: await freePort(), args: [program], cwd: folder, ready, env })
}

/** Hono with a constant answer. */
export function startStaticJson(): Promise<Server> {
  return start('hono', 'static-json.mjs', '/')
}

/** node:http with an EdDSA check and one statement. */
export async function startPlainHttp(databaseUrl: string): Promise<Server> {
  const server = await start('plain', 'plain-http.mjs', '/', { DATABASE_URL: databaseUrl })
  return { ...server, databaseUrl }
}

/** The work of Beak written by hand, on the database of a Beak server. Its mails go to the folder of that server. */
export async function startByHand(beak: Server): Promise<Server> {
  const { databaseUrl, codes } = beak
  const env = {
    BEAK_ORIGIN: beak.origin,
    BEAK_SECRET: benchSecret,
    DATABASE_URL: databaseUrl ?? '',
    OUTBOX: codes,
  }
  const server = await start('by-hand', 'by-hand.mjs', '/beak/', env)
  return { ...server, databaseUrl, codes }
}

export async function startBetterAuth(databaseUrl: string): Promise<Server> {
  const temporary = mkdtempSync(join(tmpdir(), 'beak-bench-'))
  atEnd(() => rmSync(temporary, { recursive: true, force: true }))
  const codes = join(temporary, 'codes')
  writeFileSync(codes, '')
  const env = { DATABASE_URL: databaseUrl, CODES: codes }
  const server = await start('better-auth', 'better-auth.mjs', '/ready', env)
  return { ...server, databaseUrl, codes }
}
