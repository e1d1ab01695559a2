/** Reads a heap snapshot of V8 and adds its sizes up by owner: the package whose script is nearest to an object. */

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { atEnd } from '../cleanup'
import { Driver } from '../drive/driver'
import { residentMiB } from '../measure/processes'
import { format, table } from '../report'
import { startBeak } from '../servers/beak'
import { freePort } from '../servers/free-port'
import { openPostgres } from '../servers/postgres'
import { type Server, workFolder } from '../servers/server'
import { settings } from '../settings'
import { beakSubject, runScenario, type Subject } from '../subjects'

interface HeapSnapshot {
  snapshot: {
    meta: {
      node_fields: string[]
      edge_fields: string[]
      edge_types: [string[], ...unknown[]]
    }
  }
  nodes: number[]
  edges: number[]
  strings: string[]
}

/** Returns the owner of a script: a package, Node.js, or a part of the service. */
export function ownerOf(url: string): string {
  if (url.startsWith('node:')) return 'Node.js'
  const packages = [...url.matchAll(/node_modules[/_]((?:@[\w.-]+[/_])?[\w.-]+?)(?=[/_])/g)]
  const name = packages.at(-1)?.[1]
  if (name !== undefined) return name
  if (url.includes('/.next/')) return 'pages (.next)'
  return /\/build\/(server|chunks\/)/.test(url) ? 'server (build)' : 'other'
}

/** The edge from a function to its script, which has another name since Node.js 22. */
const toScript = new Set(['script_or_debug_info', 'script'])

const isScript = (text: string) => /^(node:|file:|\/)/.test(text)

/** Returns the bytes of each owner, the largest first. What no script leads to belongs to V8 itself. */
export function ownersIn({ snapshot, nodes, edges, strings }: HeapSnapshot): [string, number][] {
  const { node_fields, edge_fields, edge_types } = snapshot.meta
  const [nodeSize, edgeSize] = [node_fields.length, edge_fields.length]
  const [name, selfSize, edgeCount] = ['name', 'self_size', 'edge_count'].map((f) =>
    node_fields.indexOf(f),
  ) as [number, number, number]
  const [kind, label, to] = ['type', 'name_or_index', 'to_node'].map((f) => edge_fields.indexOf(f)) as [
    number,
    number,
    number,
  ]
  const [kinds] = edge_types
  const count = nodes.length / nodeSize
  const firstEdge = new Uint32Array(count + 1)
  for (let node = 0; node < count; node++)
    firstEdge[node + 1] = (firstEdge[node] ?? 0) + (nodes[node * nodeSize + edgeCount] ?? 0)
  const owners: string[] = []
  const owner = new Int32Array(count).fill(-1)
  const numbers = new Map<string, number>()
  const numberOf = (text: string): number => {
    const number = numbers.get(text) ?? owners.push(text) - 1
    numbers.set(text, number)
    return number
  }
  const targetOf = (edge: number) => (edges[edge * edgeSize + to] ?? 0) / nodeSize
  const nameOf = (node: number) => strings[nodes[node * nodeSize + name] ?? 0] ?? ''
  let queue: number[] = []
  // A function leads to its script, whose name is the address of the file.
  for (let node = 0; node < count; node++)
    for (let edge = firstEdge[node] ?? 0; edge < (firstEdge[node + 1] ?? 0); edge++) {
      const type = kinds[edges[edge * edgeSize + kind] ?? 0]
      if (type !== 'internal' || !toScript.has(strings[edges[edge * edgeSize + label] ?? 0] ?? '')) continue
      const url = nameOf(targetOf(edge))
      if (!isScript(url)) continue
      owner[node] = numberOf(ownerOf(url))
      queue.push(node)
    }
  while (queue.length > 0) {
    const next: number[] = []
    for (const node of queue)
      for (let edge = firstEdge[node] ?? 0; edge < (firstEdge[node + 1] ?? 0); edge++) {
        const target = targetOf(edge)
        if (owner[target] !== -1 || kinds[edges[edge * edgeSize + kind] ?? 0] === 'weak') continue
        owner[target] = owner[node] ?? -1
        next.push(target)
      }
    queue = next
  }
  const bytes = new Map<string, number>()
  for (let node = 0; node < count; node++) {
    const text = owners[owner[node] ?? -1] ?? 'V8'
    bytes.set(text, (bytes.get(text) ?? 0) + (nodes[node * nodeSize + selfSize] ?? 0))
  }
  return [...bytes].sort(([, left], [, right]) => right - left)
}

/** `npm run bench -- memory`: the resident memory after a load, in several settings, and what the heap holds, by owner. */

const api = [
  'profile bearer',
  'profile key',
  'cert verify',
  'directory',
  'peck history',
  'audit',
  'sign-up',
  'sign-in',
  'peck',
]
const pages = ['page /', 'page /signin', 'page /status', 'page /home', 'page /pecks']
/** The small mode of docs/pages/hosts/capacity.md. */
const small = {
  MALLOC_ARENA_MAX: '2',
  NODE_OPTIONS: '--max-semi-space-size=2 --max-old-space-size=200',
}

interface Setting {
  name: string
  isEmbedded?: boolean
  env?: Record<string, string>
  scenarios: string[]
}

export const everything = [...api, ...pages]
const withoutPages = { BEAK_ROLES: 'api,worker' }

const all: Setting[] = [
  { name: 'PostgreSQL, API and pages', scenarios: everything },
  { name: 'PostgreSQL, the API alone', scenarios: api, env: withoutPages },
  { name: 'embedded, API and pages', scenarios: everything, isEmbedded: true },
  { name: 'small, PostgreSQL, API and pages', scenarios: everything, env: small },
  { name: 'small, PostgreSQL, the API alone', scenarios: api, env: { ...small, ...withoutPages } },
  { name: 'small, embedded, API and pages', scenarios: everything, isEmbedded: true, env: small },
]

const snapshotSeconds = 120
const quietMs = 3_000

/** Runs scenarios one after the other. */
export async function load(subject: Subject, driver: Driver, scenarios: string[]): Promise<void> {
  const { seconds, connections, flows } = settings
  for (const name of scenarios) {
    const { errors, firstError } = await runScenario(subject, driver, name, { seconds, connections, flows })
    if (errors > 0) throw new Error(`${name}: ${firstError}`)
  }
}

/** Makes the server write a snapshot of its heap, and returns it. */
async function takeSnapshot(server: Server, folder: string): Promise<HeapSnapshot> {
  process.kill(server.pid, 'SIGUSR2')
  for (let second = 0; second < snapshotSeconds; second++) {
    await wait(1_000)
    const [file] = readdirSync(folder)
    if (file === undefined) continue
    try {
      return JSON.parse(readFileSync(join(folder, file), 'utf8')) as HeapSnapshot
    } catch {
      // The file is not complete yet.
    }
  }
  throw new Error('Node.js wrote no snapshot.')
}

async function measureSetting(setting: Setting, databaseUrl: string | null) {
  const { name, isEmbedded = false, env = {}, scenarios } = setting
  mkdirSync(workFolder, { recursive: true })
  const folder = mkdtempSync(join(workFolder, 'heap-'))
  atEnd(() => rmSync(folder, { recursive: true, force: true }))
  const server = await startBeak({
    name: 'beak-memory',
    port: await freePort(),
    databaseUrl,
    env,
    nodeArgs: ['--heapsnapshot-signal=SIGUSR2', `--diagnostic-dir=${folder}`],
  })
  const atStart = residentMiB(server.pid)
  const driver = new Driver()
  await load(await beakSubject(driver, server), driver, scenarios)
  const underLoad = residentMiB(server.pid)
  await wait(quietMs)
  const line = [name, format(atStart), format(underLoad), format(residentMiB(server.pid))]
  process.stderr.write(`${line.join('  ')}\n`)
  const owners = env.NODE_OPTIONS || isEmbedded ? [] : ownersIn(await takeSnapshot(server, folder))
  await server.stop()
  return { name, line, owners }
}

/** Prints the figures. */
export async function memory(): Promise<void> {
  const postgres = await openPostgres()
  const measured = []
  for (const [index, setting] of all.entries()) {
    if (postgres === null && !setting.isEmbedded) continue
    if (settings.only !== null && !settings.only.test(setting.name)) continue
    const databaseUrl = setting.isEmbedded ? null : await postgres?.createDatabase(`memory${index}`)
    measured.push(await measureSetting(setting, databaseUrl ?? null))
  }
  const head = ['setting', 'MiB after the start', 'under load', 'after the load']
  process.stdout.write(
    `\n## Resident memory\n\n${table(
      head,
      measured.map(({ line }) => line),
    )}\n`,
  )
  for (const { name, owners } of measured) {
    const lines = owners.slice(0, 20).map(([owner, bytes]) => [owner, format(bytes / 2 ** 20)])
    if (lines.length > 0)
      process.stdout.write(`\n### The heap after the load: ${name}\n\n${table(['owner', 'MiB'], lines)}\n`)
  }
}
