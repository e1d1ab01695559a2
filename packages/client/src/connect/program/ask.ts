/** Asks the person about a call, and waits for the answer. */
import { runWithPermission, type ToolRefusal } from '../../adapters/guard'
import { connectedBeak } from '../credential'
import type { CallEvent } from '../launcher'
import type { Layout, ToolName } from '../layout'
import { addEntry } from '../log'
import { addAnswered, type Connected } from '../state'
import type { Answer } from './answer'
import { type Asked, entryOf, paramsOf, sentencesOf } from './describe'
import type { ToolEvent } from './event'
import { fingerprintOf } from './fingerprint'
import { hasDialog } from './has-dialog'
import { digestsOf } from './judge-call'
import { keepApproval, wasApproved } from './same-call'
import { besideDialog } from './waiting'

interface AskOptions {
  event: CallEvent
  /** Seconds. */
  wait: number
}

/**
 * Asks the person and spends one use. The same call finds the same request again, also after a restart of the coding agent. A request beside
 * the dialog of the coding agent is withdrawn when the person answers there, which ends this process.
 */
export async function askPerson(
  layout: Layout,
  tool: ToolName,
  connected: Connected,
  judgement: Asked,
  call: ToolEvent,
  { event, wait }: AskOptions,
): Promise<Answer> {
  const input = call.tool_input
  if (event === 'PermissionRequest' && (await wasApproved(layout, call)))
    return { decision: 'allow', reason: 'Approved with Beak.', input }
  const { action, buildFiles } = judgement
  const params = { ...paramsOf(judgement), ...(await fingerprintOf(layout, judgement, call)) }
  const options = {
    beak: await connectedBeak(layout, tool),
    target: connected.target,
    action,
    message: reasonOf(call) ?? sentencesOf(judgement).join(' ').slice(0, 280),
    wait,
    keep: event === 'PreToolUse',
  }
  const digests = await digestsOf(buildFiles)
  const ask = (signal?: AbortSignal) => runWithPermission(options, params, () => undefined, signal)
  const result = await (event === 'PermissionRequest' && tool === 'claude'
    ? besideDialog(layout, call, digests, ask)
    : ask())
  if (result.refusal !== null) return refusalOf(layout, tool, connected, judgement, call, result.refusal)
  if (event === 'PreToolUse') await keepApproval(layout, call)
  await addAnswered(layout, digests)
  return { decision: 'allow', reason: `Approved with Beak: ${result.permission.peck_id}.`, input }
}

async function refusalOf(
  layout: Layout,
  tool: ToolName,
  { on_outage, url }: Connected,
  judgement: Asked,
  call: ToolEvent,
  { refusal, message, next }: ToolRefusal,
): Promise<Answer> {
  if (refusal === 'pending')
    return {
      decision: 'deny',
      reason: `Unanswered: ${message} ${next}`,
    }
  if (refusal !== 'unavailable') return { decision: 'deny', reason: `${message} ${next}` }
  if (on_outage === 'ask-in-terminal' && hasDialog(tool, process.env)) {
    await addEntry(layout, entryOf(tool, judgement, call, 'outage'))
    return { decision: 'ask', reason: `${url} does not answer. ${sentencesOf(judgement).join(' ')}` }
  }
  const way = 'Go on with work that needs no permission, and make the same call again later.'
  return {
    decision: 'deny',
    reason: `${url} does not answer, so nobody could be asked. This is not a no. ${way}`,
  }
}

/** Returns what the coding agent says about a call, as far as it fits into a message: 280 characters, all printable. */
function reasonOf({ tool_input: { description, justification } }: ToolEvent): string | undefined {
  const reason = [description, justification].find((text) => typeof text === 'string') as string | undefined
  return reason?.slice(0, 280).replace(/\p{C}/gu, ' ').trim() || undefined
}
