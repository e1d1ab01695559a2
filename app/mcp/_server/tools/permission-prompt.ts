/**
 * The tool for `--permission-prompt-tool` of Claude Code, which then asks here instead of in the terminal. Its result is the text that Claude Code
 * reads: allow with the input that was approved, or deny with a sentence for the model. Nothing but a spent permission makes it allow.
 */
import { isolated } from '@beak/decision/person-name'
import type { CallToolResult, ServerContext } from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { Problem } from '@/app/_web/problem'
import { params as paramsField, paramsHash } from '@/lib/domain/pecks/params'
import { minute } from '@/lib/kernel/runtime/clock'
import { type Connection, tool } from '../tool'
import { awaitDecision, decisionPage, type PeckAnswer } from './permissions'

type Input = Record<string, unknown>

/** How long a call waits. The request outlives it: it lasts a day. */
const promptWaitSeconds = 30 * minute

const shells: ReadonlySet<string> = new Set(['Bash', 'PowerShell'])
const editors: ReadonlySet<string> = new Set(['Edit', 'MultiEdit', 'NotebookEdit', 'Write'])

/** What the person is asked, and the input that may then run. */
interface Asked {
  action: string
  params: Input
  message: string | undefined
  input: Input
}

/** Returns an object without its empty members. */
const rest = (input: Input) => (Object.keys(input).length > 0 ? { input } : {})

/**
 * Returns the request for a call. The action and the main parameter are apart, so that rules match them. The description of a command is the
 * agent's own reason: it differs each time, so it is no parameter, and the command runs without it.
 */
function askedOf(name: string, input: Input): Asked {
  if (shells.has(name) && typeof input.command === 'string') {
    const { description, ...approved } = input
    const { command, ...others } = approved
    const message = typeof description === 'string' ? description : ''
    return {
      action: 'run:command',
      params: { tool: name, command, ...rest(others) },
      message: message.replace(/\p{C}/gu, ' ').trim().slice(0, 280) || undefined,
      input: approved,
    }
  }
  const path = input.file_path ?? input.notebook_path
  if (editors.has(name) && typeof path === 'string') {
    const { file_path: _file, notebook_path: _notebook, ...others } = input
    return {
      action: 'edit:file',
      params: { tool: name, path, ...rest(others) },
      message: undefined,
      input,
    }
  }
  return { action: 'use:tool', params: { tool: name, ...rest(input) }, message: undefined, input }
}

export const permissionPrompt = tool({
  name: 'permission_prompt',
  title: 'Ask before a tool of Claude Code runs',
  description:
    'For --permission-prompt-tool of Claude Code, which calls it. Do not call it yourself: use ask_permission. Asks the person that the agent acts for, waits, spends the permission, and answers allow or deny.',
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  // Later versions of Claude Code may send more.
  input: z.object({
    tool_name: z.string().min(1).max(200).describe('The tool that is about to run.'),
    input: z.record(z.string(), z.unknown()).describe('Its input. The permission covers exactly this.'),
    tool_use_id: z.string().max(200).optional().describe('The call.'),
  }),
  async run({ tool_name: name, input }, connection, context) {
    const asked = askedOf(name, input)
    if (!paramsField.safeParse(asked.params).success)
      return deny(
        'The input of this call is larger than 4 KiB, so the person could not see all of it. Nothing was done. Make smaller calls.',
      )
    return decide(asked, connection, context)
  },
})

async function decide(asked: Asked, connection: Connection, context: ServerContext) {
  const found = await findPermission(asked, connection)
  if (found !== null) {
    const used = await spend(found, asked, connection)
    if (used === null) return allow(asked)
    // Somebody else used it since, or it was revoked: ask again.
    if (used.reason !== 'grant_not_active') return refused(used)
  }
  const { action, params, message } = asked
  const sent = await connection.api('POST /beak/peck/request', {
    body: { target: connection.caller.id, action, params, ...(message === undefined ? {} : { message }) },
  })
  if (!sent.ok) return refused(sent.problem)
  const result =
    sent.data.status === 'pending'
      ? await awaitDecision(sent.data.peck_id, promptWaitSeconds, connection, context)
      : sent
  if (!result.ok) return refused(result.problem)
  const peck = result.data
  // Whoever gave up acts no more.
  if (context.mcpReq.signal.aborted || peck.grant_token === undefined) return deny(whyNot(peck))
  const used = await spend(peck, asked, connection)
  return used === null ? allow(asked) : refused(used)
}

/** Returns an active permission for exactly this call that nobody has used: the person answered after an earlier call had stopped waiting. */
async function findPermission(
  { action, params }: Asked,
  { api, caller }: Connection,
): Promise<PeckAnswer | null> {
  const query = { direction: 'sent', grant_status: 'active', limit: '100' } as const
  const result = await api('GET /beak/peck/history', { query })
  if (!result.ok) return null
  const hash = paramsHash(params)
  const isSame = (peck: PeckAnswer) =>
    peck.target_duckling_id === caller.id &&
    peck.action === action &&
    peck.params_hash === hash &&
    peck.audience === undefined &&
    peck.challenge === undefined
  return result.data.items.find(isSame) ?? null
}

/** Spends one use. Returns null, or why that was refused. */
async function spend(peck: PeckAnswer, { params }: Asked, { api }: Connection): Promise<Problem | null> {
  const body = { grant_token: peck.grant_token ?? '', params }
  const result = await api('POST /beak/peck/consume', { body })
  return result.ok ? null : result.problem
}

/** Returns the sentence for the model. Nobody answered is not "no". */
function whyNot(peck: PeckAnswer): string {
  const { status, peck_id: id, reason, would_approve: terms, unclear } = peck
  const name = isolated(peck.target_full_name ?? peck.target_display_name)
  if (status === 'pending')
    return `Nobody answered, so nothing was done. This is not a refusal: request ${id} still waits for ${name} at ${decisionPage(id)}. The same call later finds the same request.`
  if (status === 'expired')
    return `Nobody answered request ${id} before it expired, so nothing was done. This is not a refusal. The same call asks again.`
  if (status === 'rejected') {
    const why = reason ? ` Reason: ${reason}` : ''
    const how = unclear
      ? ' Something was unclear: explain it, and ask again.'
      : terms === undefined
        ? ' Do not try to reach the same effect in another way.'
        : ` ${name} would approve: ${wordsOf(terms)}.`
    return `${name} rejected request ${id}.${why}${how}`
  }
  if (status === 'approved')
    return `${name} approved request ${id}, but the permission is no longer active (${peck.grant_status}). Nothing was done. The same call asks again.`
  return `Request ${id} is ${status}. Nothing was done.`
}

function wordsOf({ max_amount, scope, grant_expires_in }: NonNullable<PeckAnswer['would_approve']>): string {
  return [
    ...(max_amount === undefined ? [] : [`at most ${max_amount.amount} ${max_amount.currency}`]),
    ...(scope === undefined ? [] : [`scope ${scope}`]),
    ...(grant_expires_in === undefined ? [] : [`for ${grant_expires_in} seconds`]),
  ].join(', ')
}

const refused = ({ code, detail, action }: Problem) =>
  deny(`Nothing was done. ${code}: ${detail} ${action ?? ''}`.trim())

const allow = ({ input }: Asked) => answer({ behavior: 'allow', updatedInput: input })
const deny = (message: string) => answer({ behavior: 'deny', message })

/** Claude Code reads one text with JSON. */
const answer = (decision: object): CallToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(decision) }],
})
