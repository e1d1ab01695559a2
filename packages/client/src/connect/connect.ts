/** Connects and disconnects a coding agent. Each step can be repeated: what is there already is left as it is. */
import { rm } from 'node:fs/promises'
import { installPrograms } from './install'
import type { Layout, ToolName } from './layout'
import { applyEdit, readSettings, undoEdit } from './settings'
import { type Connected, type EditedFile, readState, writeState } from './state'
import type { Installed, Programs } from './tools/tool'
import { tools } from './tools/tools'

/** Writes the settings of a coding agent. What is needed to take them back is stored before. */
export async function writeConnection(
  programs: Programs,
  tool: ToolName,
  connected: Omit<Connected, 'files'>,
  planned: EditedFile[],
): Promise<void> {
  const { layout } = programs
  await installPrograms(programs)
  const state = await readState(layout)
  const known = state.tools[tool]?.files ?? []
  const files = mergeEdits(known, planned)
  await writeState(layout, {
    program: programs.program,
    tools: { ...state.tools, [tool]: { ...connected, files } },
  })
  for (const edit of planned) await applyEdit(edit)
}

/** A file that is changed a second time goes back to what it was before the first, unless somebody else changed it in between. */
function mergeEdits(known: EditedFile[], planned: EditedFile[]): EditedFile[] {
  const again = planned.map((edit) => {
    const earlier = known.find(({ path, after }) => path === edit.path && after === edit.before)
    return earlier === undefined ? edit : { ...edit, before: earlier.before }
  })
  return [...known.filter(({ path }) => !again.some((edit) => edit.path === path)), ...again]
}

/** Makes the coding agent trust the hooks, and notes what it wrote itself for that, so that it can be taken back. */
export async function trustHooks(
  layout: Layout,
  tool: ToolName,
  { executable }: Pick<Installed, 'executable'>,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const before = await Promise.all(
    tools[tool].paths(env).map(async (path) => ({ path, before: await readSettings(path) })),
  )
  const trusted = await tools[tool].trust(env, layout, executable)
  const written: EditedFile[] = []
  for (const file of before) {
    const after = await readSettings(file.path)
    if (after !== null && after !== file.before) written.push({ ...file, after })
  }
  const state = await readState(layout)
  const connected = state.tools[tool]
  if (connected === undefined) return
  const files = mergeEdits(connected.files, written)
  await writeState(layout, { ...state, tools: { ...state.tools, [tool]: { ...connected, files, trusted } } })
}

export interface UndoneFile {
  path: string
  result: 'restored' | 'own lines removed' | 'gone' | 'left alone'
  /** Why it was left alone. */
  why?: string
}

/** Takes the settings of a coding agent back, and forgets it. A file that cannot be changed is named, and the rest is done. */
export async function removeConnection(layout: Layout, tool: ToolName): Promise<UndoneFile[]> {
  const state = await readState(layout)
  const connected = state.tools[tool]
  const undone: UndoneFile[] = []
  const left: EditedFile[] = []
  for (const edit of connected?.files ?? []) {
    try {
      const result = await undoEdit(edit, (text) =>
        tools[tool].without(edit.path, text, layout, connected?.trusted ?? []),
      )
      undone.push({ path: edit.path, result })
    } catch (error) {
      left.push(edit)
      undone.push({ path: edit.path, result: 'left alone', why: (error as Error).message })
    }
  }
  // What could not be taken back stays known, so that the command can be repeated.
  const { [tool]: _, ...others } = state.tools
  const kept = connected !== undefined && left.length > 0 ? { [tool]: { ...connected, files: left } } : {}
  await writeState(layout, { ...state, tools: { ...others, ...kept } })
  return undone
}

/** Removes the program, the helper's files and everything else, when nothing is connected any more. */
export async function removePrograms(layout: Layout): Promise<void> {
  if (Object.keys((await readState(layout)).tools).length === 0)
    await rm(layout.folder, { recursive: true, force: true })
}
