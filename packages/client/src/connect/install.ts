/** Puts the program of the hooks and the launcher where they stay: npm may empty the folder from which `npx` runs. */
import { createHash, randomBytes } from 'node:crypto'
import { access, chmod, cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Exit, exitCodes } from '../cli/exit'
import { replaceFile } from '../cli/files'
import { launcherText } from './launcher'
import type { Layout, ToolName } from './layout'
import type { Programs } from './tools/tool'

const programName = 'beak-connect.mjs'

/** Returns the folder with the built program: in the package, or in a copy of the source that was built. */
async function builtProgram(): Promise<string> {
  let folder = dirname(fileURLToPath(import.meta.url))
  for (let level = 0; level < 4; level++, folder = dirname(folder))
    for (const place of [join(folder, 'program'), join(folder, 'dist', 'program')]) {
      const isThere = await access(join(place, programName)).then(
        () => true,
        () => false,
      )
      if (isThere) return place
    }
  throw new Exit(exitCodes.fault, 'The program of the hooks was not built.', 'Run: npm run clients:pack')
}

interface Scorecard {
  date: string
  versions: Record<ToolName, string>
  rows: { title: string; cells: Record<ToolName, { verdict: string }> }[]
}

/** Returns what no hook can hold in a coding agent, as tried with the real program: its version, the day, and the cases. */
export async function openCases(tool: ToolName): Promise<{ version: string; date: string; cases: string[] }> {
  const text = await readFile(join(await builtProgram(), 'scorecard.json'), 'utf8')
  const { date, versions, rows } = JSON.parse(text) as Scorecard
  const isOpen = ({ cells }: Scorecard['rows'][number]) => cells[tool].verdict === 'open'
  return { version: versions[tool], date, cases: rows.filter(isOpen).map(({ title }) => title) }
}

/** Returns the programs as they will be after `installPrograms`. */
export async function plannedPrograms(layout: Layout): Promise<Programs> {
  const digest = createHash('sha256').update(await readFile(join(await builtProgram(), programName)))
  const program = join(layout.programs, digest.digest('hex').slice(0, 16), programName)
  return { layout, node: process.execPath, program }
}

/**
 * Installs the programs. One that is there already is left as it is, because a hook may be running it.
 *
 * @param built the folder with the built program. Default: that of this package.
 */
export async function installPrograms({ layout, node, program }: Programs, built?: string): Promise<void> {
  const folder = dirname(program)
  await mkdir(layout.programs, { recursive: true, mode: 0o700 })
  await mkdir(layout.run, { recursive: true, mode: 0o700 })
  await chmod(layout.folder, 0o700)
  // One that is there stays, so that a call finds its request again.
  await writeFile(layout.key, randomBytes(32), { mode: 0o600, flag: 'wx' }).catch(() => undefined)
  const isThere = (await readdir(layout.programs)).some((name) => join(layout.programs, name) === folder)
  if (!isThere) {
    const next = `${folder}.new`
    await rm(next, { recursive: true, force: true })
    await cp(built ?? (await builtProgram()), next, { recursive: true })
    await rename(next, folder)
  }
  await replaceFile(layout.launcher, launcherText(layout, node, program))
  await chmod(layout.launcher, 0o700)
}
