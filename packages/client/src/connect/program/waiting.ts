/**
 * Questions that wait beside a dialog of Claude Code. It does not end the hook when the person answers in the terminal, so the events after that do:
 * they remove the file of the question, and the hook withdraws its request.
 */
import { watch } from 'node:fs'
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Layout } from '../layout'
import { addAnswered } from '../state'
import { readCall, readSession, type SessionEvent, type ToolEvent } from './event'
import { nameOfCall, nameOfSession } from './judge-call'

const folderOf = ({ run }: Layout) => join(run, 'waiting')

/**
 * Runs `ask` with a signal that aborts when the person has answered in the terminal.
 *
 * @param digests those of the build files that count as answered when the person approves in the terminal
 */
export async function besideDialog<T>(
  layout: Layout,
  call: ToolEvent,
  digests: Record<string, string>,
  ask: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const folder = folderOf(layout)
  const name = `${nameOfSession(call)}.${nameOfCall(call)}`
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const ended = new AbortController()
  const watcher = watch(folder, (_, changed) => {
    if (changed === name) void readdir(folder).then((names) => names.includes(name) || ended.abort())
  })
  await writeFile(join(folder, name), JSON.stringify(digests), { mode: 0o600 })
  try {
    return await ask(ended.signal)
  } finally {
    watcher.close()
    await rm(join(folder, name), { force: true })
  }
}

/** Ends the questions that the terminal has answered: that of a call that ran, or all of a session that goes on or ends. */
export async function settle(layout: Layout, event: string, input: string): Promise<void> {
  const session: SessionEvent = readSession(input)
  const prefix =
    event === 'PostToolUse'
      ? `${nameOfSession(session)}.${nameOfCall(readCall(input))}`
      : `${nameOfSession(session)}.`
  const folder = folderOf(layout)
  for (const name of await readdir(folder).catch(() => []))
    if (name.startsWith(prefix)) {
      // The call has run, so the person has approved it.
      if (event === 'PostToolUse') await addAnswered(layout, await digestsIn(join(folder, name)))
      await rm(join(folder, name), { force: true })
    }
}

async function digestsIn(path: string): Promise<Record<string, string>> {
  const text = await readFile(path, 'utf8').catch(() => '{}')
  return JSON.parse(text) as Record<string, string>
}

/** A question waits no longer than this, in milliseconds. Older files are those of hooks that were killed. */
const longestMs = 86_400_000

/** Removes old files about questions and answers. */
export async function clearOld({ run }: Layout): Promise<void> {
  for (const folder of [join(run, 'waiting'), join(run, 'calls')])
    for (const name of await readdir(folder).catch(() => [])) {
      const stats = await stat(join(folder, name)).catch(() => null)
      if (stats !== null && Date.now() - stats.mtimeMs > longestMs)
        await rm(join(folder, name), { force: true })
    }
}
