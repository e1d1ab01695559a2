/** Starts Beak without limits, with mails in its outbox folder. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { atEnd } from '../cleanup'
import { root, type Server, serverFile, startServer } from './server'

const limitGroups = [
  'METRICS',
  'SIGNUP',
  'STATUS',
  'NEWSLETTER',
  'SUPPORT',
  'PAGEVIEW',
  'SIGNIN',
  'OTP',
  'ANONYMOUS',
  'AUTHENTICATED',
  'TLOG',
  'PAGES',
  'IMAGES',
  'ASK',
  'STRANGERS',
  'CODE',
]
const withoutLimits = Object.fromEntries(
  limitGroups.map((group) => [`LIMIT_${group}`, '100000000/100000000']),
)

/** Of servers on PostgreSQL. */
export const benchSecret = 'a secret that only the benchmark uses'

export interface BeakOptions {
  name: string
  port: number
  /** Null for the embedded database. */
  databaseUrl: string | null
  env?: Record<string, string>
  /** The data folder of an earlier start. Default: a new one. */
  dataDir?: string
  /** Options of Node.js. */
  nodeArgs?: string[]
  /** The program of Node.js, which runs the build of the benchmark's Node.js. Default: that of the benchmark. */
  node?: string
  /** Another checkout with a build, whose server is started. */
  folder?: string
}

function newDataDir(): string {
  const dataDir = mkdtempSync(join(tmpdir(), 'beak-bench-'))
  atEnd(() => rmSync(dataDir, { recursive: true, force: true }))
  mkdirSync(join(dataDir, 'outbox'), { mode: 0o700 })
  return dataDir
}

const startScript = join(root, 'scripts', 'start.mjs')

/** Starts Beak. Its mails are in the folder `outbox` of the data folder. */
export function startBeak(options: BeakOptions): Promise<Server> {
  const { name, port, databaseUrl, env, dataDir = newDataDir(), nodeArgs = [], node, folder = root } = options
  return startServer({
    name,
    port,
    // Under another Node.js, the start script would build again, into the folder from which the other servers run.
    args: [...nodeArgs, node === undefined && folder === root ? startScript : serverFile(folder)],
    cwd: folder,
    env: {
      ...withoutLimits,
      NEXT_TELEMETRY_DISABLED: '1',
      BASE_URL: `http://localhost:${port}`,
      DATA_DIR: dataDir,
      ...(databaseUrl && { DATABASE_URL: databaseUrl, BEAK_SECRET: benchSecret }),
      ...env,
    },
    ready: '/readyz',
    databaseUrl,
    codes: join(dataDir, 'outbox'),
    node,
  })
}
