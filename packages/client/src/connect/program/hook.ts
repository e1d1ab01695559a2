/** Answers an event of a coding agent. Every fault is an explicit refusal, because the coding agents let a call through when a hook fails. */
import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { heartbeatMs, lastHeartbeat } from '../last-heartbeat'
import { type CallEvent, type EventName, isAboutCall } from '../launcher'
import { type Layout, type ToolName, tellUser } from '../layout'
import { addEntry } from '../log'
import { type Connected, readState } from '../state'
import { type Answer, answerText, noOpinion } from './answer'
import { entryOf, sentencesOf } from './describe'
import { readCall, readSession, refuseChangedNumbers } from './event'
import { hasDialog } from './has-dialog'
import { callOf, judgeCall } from './judge-call'
import { askOnce } from './same-call'
import { answerTrial } from './trial'
import { clearOld, settle } from './waiting'

/** How long the answer about a call may take where the coding agent shows no dialog. In seconds. */
const waitWithoutDialog = 540
/** Where it shows one, the person decides there or on another device, whichever is first. In seconds. */
const waitBesideDialog = 86_000

/** Returns what to print about an event. Rejects only for an event that cannot be read. */
export async function answerEvent(
  layout: Layout,
  program: string,
  tool: ToolName,
  event: EventName,
): Promise<string> {
  const input = await text(process.stdin)
  const { tools } = await readState(layout)
  const connected = tools[tool]
  if (isAboutCall(event)) {
    if (connected !== undefined) await continueSession(layout, program, tool, input).catch(() => undefined)
    return answerText(tool, event, await decide(layout, tool, event, connected, input))
  }
  if (event !== 'SessionStart') await settle(layout, event, input)
  else if (connected !== undefined) await startSession(layout, program, tool, input)
  return noOpinion
}

async function startSession(layout: Layout, program: string, tool: ToolName, input: string): Promise<void> {
  const { session_id: session } = readSession(input)
  startHelper(program)
  await clearOld(layout)
  const { sendHeartbeat } = await import('../heartbeat')
  // A service that does not answer must not stop the work: the calls that matter ask again.
  await sendHeartbeat(layout, tool, { event: 'session', session }).catch(() => undefined)
}

const start = (program: string, ...words: string[]) =>
  spawn(process.execPath, [program, ...words], { detached: true, stdio: 'ignore' }).unref()
const startHelper = (program: string) => start(program, 'helper')

/** A session that lasts longer than its helper starts another one, and says again that it works with the hook. */
async function continueSession(
  layout: Layout,
  program: string,
  tool: ToolName,
  input: string,
): Promise<void> {
  const { session_id } = readSession(input)
  const last = await lastHeartbeat(layout, tool)
  if (last !== null && Date.now() - last.at.getTime() < heartbeatMs) return
  startHelper(program)
  start(program, 'heartbeat', tool, session_id)
}

/** Decides about a call. */
async function decide(
  layout: Layout,
  tool: ToolName,
  event: CallEvent,
  connected: Connected | undefined,
  input: string,
): Promise<Answer> {
  try {
    const call = readCall(input)
    const trial = await answerTrial(layout, tool, call)
    if (trial !== null) return trial
    if (connected === undefined) throw new Error(`Its connection is broken. ${tellUser(tool)}`)
    const judgement = await judgeCall(layout, callOf(tool, call), connected.mode === 'strict')
    if (!judgement.ask) return { decision: 'none' }
    if (connected.mode === 'watch') {
      if (event === 'PreToolUse') await addEntry(layout, entryOf(tool, judgement, call, 'watched'))
      return { decision: 'none' }
    }
    refuseChangedNumbers(input)
    const isBesideDialog = hasDialog(tool, process.env)
    if (event === 'PreToolUse' && isBesideDialog && connected.mode === 'guard')
      return { decision: 'ask', reason: sentencesOf(judgement).join(' ') }
    const wait = event === 'PermissionRequest' ? waitBesideDialog : waitWithoutDialog
    // Harmless calls are most calls, and start faster without what asks.
    const { askPerson } = await import('./ask')
    const ask = () => askPerson(layout, tool, connected, judgement, call, { event, wait })
    return await (event === 'PreToolUse' ? askOnce(layout, call, wait, ask) : ask())
  } catch (error) {
    if (connected?.mode === 'watch') return { decision: 'none' }
    const reason = error instanceof Error ? error.message : String(error)
    return {
      decision: 'deny',
      reason: `Beak could not ask, so this did not run. This is not a no. ${reason}`,
    }
  }
}
