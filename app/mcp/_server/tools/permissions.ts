/** The tools for permissions: ask, wait and use. No tool approves: only the person who is asked does, on the decision page. */

import { permitsNothing } from '@beak/decision/free-text'
import { paramTypes } from '@beak/decision/param-types'
import { isolated } from '@beak/decision/person-name'
import type { ServerContext } from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { Result } from '@/app/_web/api'
import type { ResponseOf } from '@/app/beak/_api/lines'
import { params } from '@/lib/domain/pecks/params'
import { PeckFields } from '@/lib/domain/pecks/request/schema'
import { Peck, peckId } from '@/lib/domain/pecks/schema'
import { Consumed } from '@/lib/domain/pecks/use/use'
import { config } from '@/lib/kernel/config'
import { hostNameField } from '@/lib/kernel/request/host-name'
import { readClock, secondsAfter } from '@/lib/kernel/runtime/clock'
import { listWithOr } from '@/lib/kernel/text/list-words'
import { openByRequest, openByResult } from '../message'
import { type Connection, problemOf, readOnly, refusal, success, tool } from '../tool'

export type PeckAnswer = ResponseOf<'GET /beak/peck/status'>

/** A call of the API waits at most this long. */
const pollSeconds = 30
/** Time between two reports of progress. */
const reportSeconds = 10

const waitSeconds = z.int().min(0).max(300)

const FollowedPeck = Peck.extend({
  decision_page: z.string().describe('The page where the person decides. Show it to them.'),
})

export const decisionPage = (id: string) => `${config().baseUrl}/pecks/${id}`

export const askPermission = tool({
  name: 'ask_permission',
  title: 'Ask a person for permission',
  description:
    'Asks a person before you do something that matters. Answers at once with peck_id, status and decision_page, or after the decision when wait_seconds is given. The status is pending until the person decides on the page; you cannot decide for them. When the person has a rule for such requests, the status is approved or rejected at once. Then call wait_for_decision. While an identical request is pending, the answer is that request.',
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  input: z.strictObject({
    ...PeckFields.shape,
    target: PeckFields.shape.target.describe(
      'Who is asked: an id, @ and a handle, or the whole address of an invitation link, such as https://beak.example/ask/…. Default: the person that you act for.',
    ),
    target_duckling_id: PeckFields.shape.target_duckling_id.describe(
      'Older name of target. Takes no invitation links.',
    ),
    action: PeckFields.shape.action.describe('What you want to do, as verb:object, for example send:mail.'),
    scope: PeckFields.shape.scope.describe(
      'limited, the default: one use. timed: until the permission expires. standing: until it is revoked.',
    ),
    params: params.describe('The parameters of the action. The permission is valid only for exactly these.'),
    param_types: PeckFields.shape.param_types.describe(
      `How the person sees a parameter, by its name: ${listWithOr(paramTypes)}.`,
    ),
    audience: PeckFields.shape.audience.describe(
      'Host name of the service that you use the permission at, for example shop.example.',
    ),
    message: PeckFields.shape.message.describe('A note to the person: why you ask.'),
    expires_in: PeckFields.shape.expires_in.describe('Seconds that the person has for the decision.'),
    grant_expires_in: PeckFields.shape.grant_expires_in.describe('Seconds that the permission lasts.'),
    wait_seconds: waitSeconds.default(0).describe('How long to wait for the decision.'),
  }),
  output: FollowedPeck,
  async run({ wait_seconds, target_duckling_id, ...body }, connection, context) {
    // The client has opened the decision page and repeats the call. The state is only an id: the API checks who may see the peck.
    const asked = context.mcpReq.requestState<string>()
    if (asked !== undefined) return follow(asked, wait_seconds, connection, context)
    const result = await connection.api('POST /beak/peck/request', {
      body: {
        ...body,
        target_duckling_id:
          target_duckling_id ?? (body.target === undefined ? connection.caller.id : undefined),
      },
    })
    if (!result.ok) return refusal(result.problem)
    const { status, peck_id, summary } = result.data
    if (status !== 'pending') return present(result)
    // The page of somebody else would not open for the person at this client.
    if (result.data.target_duckling_id === connection.caller.id) {
      // Some clients show only the message.
      const url = decisionPage(peck_id)
      const page = { message: `${summary} Decide at ${url}.`, url }
      if (connection.opening === 'by-result') return openByResult(page, peck_id)
      if (connection.opening === 'by-request') openByRequest(page, peck_id, context)
    }
    return wait_seconds === 0 ? present(result) : follow(peck_id, wait_seconds, connection, context)
  },
})

export const waitForDecision = tool({
  name: 'wait_for_decision',
  title: 'Wait for the decision of a person',
  description:
    'Waits until the person has approved or rejected a request, or wait_seconds have passed. With status pending, call it again later, or tell the person where the decision page is. With status approved, call use_permission directly before you act. With any other status, do not act. When the person has undone an approval, the answer is the request that waits in its place, with another peck_id.',
  annotations: readOnly,
  input: z.strictObject({
    peck_id: peckId.describe('From ask_permission.'),
    wait_seconds: waitSeconds.default(50).describe('How long to wait. 0: only look.'),
  }),
  output: FollowedPeck,
  run: ({ peck_id, wait_seconds }, connection, context) => follow(peck_id, wait_seconds, connection, context),
})

export const usePermission = tool({
  name: 'use_permission',
  title: 'Use a permission',
  description:
    'Spends one use of an approved permission. Call it directly before you act, with the params that were approved, and act only when it succeeds. Give peck_id for your own permission, or the grant_token that somebody showed you, not both.',
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  input: z
    .strictObject({
      peck_id: peckId.optional().describe('Your own approved request.'),
      grant_token: z.string().min(1).max(4096).optional().describe('The permission of somebody else.'),
      params: params.describe('The approved parameters.'),
      audience: hostNameField
        .optional()
        .describe('Your own host name, when you check a permission of somebody else.'),
    })
    .refine((input) => (input.peck_id === undefined) !== (input.grant_token === undefined), {
      error: 'needs either peck_id or grant_token',
    }),
  output: Consumed,
  async run({ peck_id, grant_token, params, audience }, { api }) {
    let token = grant_token
    if (peck_id !== undefined) {
      const found = await api('GET /beak/peck/status', { query: { peck_id } })
      if (!found.ok) return refusal(found.problem)
      token = found.data.grant_token
      if (token === undefined) {
        const current_status = found.data.grant_status ?? found.data.status
        return refusal(problemOf('grant_not_active', { current_status }))
      }
    }
    const result = await api('POST /beak/peck/consume', {
      body: { grant_token: token ?? '', params, audience },
    })
    return result.ok ? success(result.data, 'The permission was used. Act now.') : refusal(result.problem)
  },
})

export const cancelRequest = tool({
  name: 'cancel_request',
  title: 'Withdraw a request',
  description:
    'Withdraws a request of yours that nobody has decided. Call it when you no longer need the permission, so that nobody answers it needlessly. Asking again counts in the limits of the day. An error with the status approved means that the person was faster: use the permission, or do not act.',
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({ peck_id: peckId.describe('From ask_permission.') }),
  output: FollowedPeck,
  run: async (body, { api }) => present(await api('POST /beak/peck/cancel', { body })),
})

/** Returns the id of the request that waits in place of one whose approval the person undid, unless it had been used. */
const successorOf = ({ superseded_by, uses }: PeckAnswer) => (uses === 0 ? superseded_by : undefined)

/**
 * Waits for the decision with calls of the API, and reports progress when the client asked for it. Follows the request whose place was taken
 * after an undo.
 */
export async function awaitDecision(
  asked: string,
  seconds: number,
  connection: Connection,
  { mcpReq }: ServerContext,
): Promise<Result<PeckAnswer>> {
  const token = mcpReq._meta?.progressToken
  let id = asked
  const started = readClock()
  const deadline = secondsAfter(started, seconds)
  for (let now = started; ; now = readClock()) {
    const left = Math.max(0, Math.ceil((deadline.getTime() - now.getTime()) / 1000))
    if (token !== undefined && left > 0) {
      const message = `Waiting for the decision of the person at ${decisionPage(id)}`
      const reported = { progressToken: token, progress: seconds - left, total: seconds, message }
      await mcpReq.notify({ method: 'notifications/progress', params: reported })
    }
    const wait = Math.min(left, token === undefined ? pollSeconds : reportSeconds)
    const query = { peck_id: id, wait: String(wait) }
    const result = await connection.api('GET /beak/peck/status', { query }, mcpReq.signal)
    const successor = result.ok ? successorOf(result.data) : undefined
    if (successor !== undefined && !mcpReq.signal.aborted) {
      id = successor
      continue
    }
    const isPending = result.ok && result.data.status === 'pending'
    if (!isPending || wait === left || mcpReq.signal.aborted) return result
  }
}

const follow = async (...given: Parameters<typeof awaitDecision>) => present(await awaitDecision(...given))

function present(result: Result<PeckAnswer>) {
  if (!result.ok) return refusal(result.problem)
  const peck = { ...result.data, decision_page: decisionPage(result.data.peck_id) }
  return success(peck, nextStep(peck))
}

/** A rejection with terms invites another request, which is not paused. */
function afterRejection({ would_approve, unclear, target_display_name: name }: PeckAnswer): string {
  if (unclear)
    return ` Something was unclear to ${name}: see reason. Explain it and call ask_permission again.`
  if (would_approve === undefined) return ''
  return ` ${name} would approve less: see would_approve. Call ask_permission again with no more than that.`
}

function nextStep(peck: PeckAnswer & { decision_page: string }): string {
  const { status, grant_status, peck_id, target_full_name, target_display_name, decision_page } = peck
  const name = isolated(target_full_name ?? target_display_name)
  const page = ` The page of the request is ${decision_page}.`
  if (status === 'pending')
    return `${name} has not decided yet. They decide at ${decision_page}. Then call wait_for_decision with peck_id ${peck_id}.`
  if (status === 'approved' && permitsNothing(peck.action))
    return grant_status === 'expired'
      ? `${name} said yes. This is an answer and no permission: there is nothing to use, and nothing to ask again.${page}`
      : `${name} took the answer back. Do not act.${page}`
  if (status === 'approved')
    return grant_status === 'active'
      ? `${name} approved the request. Directly before you act, call use_permission with peck_id ${peck_id} and the same params.${page}`
      : `${name} approved the request, but the permission is no longer active (${grant_status}). Do not act.${page}`
  return `The request is ${status}. Do not act.${status === 'rejected' ? afterRejection(peck) : ''}${page}`
}
