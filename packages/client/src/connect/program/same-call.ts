/**
 * One request for a call that is seen more than once: by two hooks, because a coding agent reads the settings of another one too, or by both events of
 * Codex.
 */
import { createHash } from 'node:crypto'
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { replaceFile } from '../../cli/files'
import type { Layout } from '../layout'
import type { Answer } from './answer'
import type { ToolEvent } from './event'
import { nameOfCall } from './judge-call'

/** An answer counts for the same call so long, in milliseconds. */
const freshMs = 60_000
const lookMs = 200

const folderOf = ({ run }: Layout) => join(run, 'calls')

/** Returns the content of a file that is not old, or null. */
async function readFresh(path: string): Promise<string | null> {
  try {
    const [content, { mtimeMs }] = await Promise.all([readFile(path, 'utf8'), stat(path)])
    return Date.now() - mtimeMs < freshMs ? content : null
  } catch {
    return null
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** Takes a call for this process. Returns false when another one that runs has it. */
async function claim(path: string): Promise<boolean> {
  try {
    await writeFile(path, String(process.pid), { mode: 0o600, flag: 'wx' })
    return true
  } catch {
    const owner = Number(await readFile(path, 'utf8').catch(() => ''))
    if (owner > 0 && !isRunning(owner)) await rm(path, { force: true })
    return false
  }
}

/**
 * Asks about a call, unless another hook asks about this very call already: then its answer counts. A call that its coding agent does not name is
 * always asked about.
 *
 * @param wait seconds until the call is refused
 */
export async function askOnce(
  layout: Layout,
  call: ToolEvent,
  wait: number,
  ask: () => Promise<Answer>,
): Promise<Answer> {
  const { tool_use_id } = call
  if (tool_use_id === '') return ask()
  await mkdir(folderOf(layout), { recursive: true, mode: 0o700 })
  const key = createHash('sha256')
    .update(`${nameOfCall(call)} ${tool_use_id}`)
    .digest('hex')
  const [claimed, answered] = ['claim', 'answer'].map((end) => join(folderOf(layout), `${key}.${end}`)) as [
    string,
    string,
  ]
  const end = performance.now() + wait * 1000
  while (performance.now() < end) {
    const answer = await readFresh(answered)
    if (answer !== null) return JSON.parse(answer) as Answer
    if (await claim(claimed)) {
      try {
        const own = await ask()
        await replaceFile(answered, JSON.stringify(own))
        return own
      } finally {
        await rm(claimed, { force: true })
      }
    }
    await sleep(lookMs)
  }
  return {
    decision: 'deny',
    reason:
      'Nobody has answered yet. This is not a no. Go on with something else, and make the same call again later.',
  }
}

const approvalOf = (layout: Layout, call: ToolEvent) => join(folderOf(layout), nameOfCall(call))

/** Notes that the person has approved a call. Codex may ask a second time about it, and does not name it then. */
export async function keepApproval(layout: Layout, call: ToolEvent): Promise<void> {
  await mkdir(folderOf(layout), { recursive: true, mode: 0o700 })
  await replaceFile(approvalOf(layout, call), '')
}

/** Whether the person has just approved a call. True once. */
export async function wasApproved(layout: Layout, call: ToolEvent): Promise<boolean> {
  const path = approvalOf(layout, call)
  const isApproved = (await readFresh(path)) !== null
  await rm(path, { force: true })
  return isApproved
}
