import { createMcpHandler, McpServer, ProtocolErrorCode } from '@modelcontextprotocol/server'
import type { Problem } from '@/app/_web/problem'
import type { Line, ResponseOf } from '@/app/beak/_api/lines'
import { type PlainInput, plainCall } from '@/app/beak/_api/plain-call'
import { serve } from '@/app/beak/_api/serve'
import { table } from '@/app/beak/_api/table'
import { openDatabase } from '@/lib/db/client'
import { recordSeen } from '@/lib/domain/sessions/authenticate'
import { admit } from '@/lib/http/admit'
import { baseHeaders, hintAt } from '@/lib/http/answer'
import type { Answer, Call, CallContext } from '@/lib/http/call'
import { findCaller } from '@/lib/http/caller'
import type { Gate } from '@/lib/http/definition'
import { contextOf, refuse } from '@/lib/http/endpoint'
import { readRoundedJson } from '@/lib/http/input'
import { prepareKeys } from '@/lib/infrastructure/keys/signing-keys'
import { config } from '@/lib/kernel/config'
import type { KeyCaller } from '@/lib/kernel/request/context'
import { Failure, type FieldError, fail } from '@/lib/kernel/request/failures'
import { mcpUrl } from '@/lib/kernel/request/oauth-paths'
import { describeError, log } from '@/lib/kernel/runtime/log'
import { version } from '@/lib/kernel/service/version'
import { cancelCall } from './cancellation'
import {
  cancelledBy,
  idOf,
  type Message,
  openingOf,
  revisionsWithInitialize,
  sessionIdFor,
  unsupportedRevision,
} from './message'
import type { AgentApi, Connection } from './tool'
import { verifyAgent, verifyCertificate, verifyReceipt, whoami } from './tools/checks'
import { permissionPrompt } from './tools/permission-prompt'
import { askPermission, cancelRequest, usePermission, waitForDecision } from './tools/permissions'

const tools = [
  askPermission,
  waitForDecision,
  usePermission,
  cancelRequest,
  permissionPrompt,
  verifyCertificate,
  verifyAgent,
  verifyReceipt,
  whoami,
]

const instructions = `Beak asks a person before you do something that matters.
1. ask_permission with the action and its parameters. The answer has the page where the person decides; show it to them.
2. wait_for_decision until the status is approved. There is no tool to approve: only the person can.
3. use_permission directly before you act, with the same parameters. Act only when it succeeds.
If a request is rejected, expired or cancelled, do not act. When you no longer need the answer, call cancel_request.`

/** Returns the server for one HTTP request. Nothing stays between requests, so any instance can answer the next one. */
function makeServer(connection: Connection): McpServer {
  const server = new McpServer(
    { name: 'beak', title: 'Beak', version, websiteUrl: config().baseUrl },
    {
      instructions,
      // The tools never change while the server runs.
      capabilities: { tools: { listChanged: false } },
      supportedProtocolVersions: revisionsWithInitialize,
    },
  )
  for (const tool of tools) tool.register(server, connection)
  return server
}

/**
 * Bonds an agent at the first request of its client. So the block that an owner copies into a client holds all that the agent needs: its
 * key, and the handshake in a header of its own. The header may stay in the client: a handshake works once.
 */

/** As Node spells it. */
const handshakeHeader = 'x-beak-handshake'

/**
 * Bonds the caller when it has not bonded and its request carries a handshake. A refusal changes nothing: the tools then say how to bond. The
 * call is a call of the API, so its rules, limits and audit events apply.
 */
async function bondByHeader(
  { agentId, isBonded }: KeyCaller,
  api: AgentApi,
  handshake: string | undefined,
): Promise<void> {
  if (isBonded || handshake === undefined || handshake === '') return
  const bonded = await api('POST /beak/agent/bond', {
    body: { agent_id: agentId, handshake_token: handshake },
  })
  if (!bonded.ok) log().info({ agent: agentId, reason: bonded.problem.reason }, 'handshake refused at /mcp')
}

/**
 * Answers requests to the MCP server (Model Context Protocol, streamable HTTP, revisions 2026-07-28 and 2025-11-25). Stateless: each
 * POST carries the key of the agent and gets a server of its own. Tools call the route table, so the rules of the API apply.
 */

/** The key may be of an unbonded agent: the tools then say how to bond it. */
const gate: Gate = { auth: 'beak-key', limit: 'authenticated' }

const answerApi = serve(table)

/** Answers a request to `/mcp`. Never throws. */
export async function answerMcp(call: Call): Promise<Answer> {
  const started = performance.now()
  const context = contextOf(call)
  const headers = baseHeaders(context.requestId)
  // Pages of other origins are refused.
  delete headers['Access-Control-Allow-Origin']
  const answer = await admitted(call, context, headers).catch((error) => refused(context, error, headers))
  const { caller, requestId, ip } = context
  log().info({
    request_id: requestId,
    method: call.method,
    path: call.path,
    status: answer.status,
    ms: Math.round((performance.now() - started) * 10) / 10,
    ip,
    caller: caller?.type === 'key' ? caller.agentId : undefined,
  })
  return answer
}

async function admitted(call: Call, context: CallContext, headers: Answer['headers']): Promise<Answer> {
  if (call.method !== 'POST') throw fail('method_not_allowed')
  const { origin } = call.headers
  if (origin !== undefined && origin !== config().origin) throw fail('cross_origin_request')
  await openDatabase()
  await prepareKeys()
  const request = withKeyOnly(call)
  await admit(gate, request, context, headers)
  const read = await readMessage(call)
  if (read instanceof Failure) return badRequest(unreadable(read), headers)
  const { value: message, errors } = read
  if (errors.length > 0) return refuseNumbers(message, errors, headers)
  const unsupported = unsupportedRevision(call.headers['mcp-protocol-version'], message)
  if (unsupported !== null) return badRequest(unsupported, headers)
  const caller = context.caller as KeyCaller
  if (caller.isBonded) recordSeen('guard', caller.agentId, context.now)
  const sessionId = call.headers['mcp-session-id'] ?? ''
  const api = apiOf(request, context.requestId)
  await bondByHeader(caller, api, call.headers[handshakeHeader])
  const connection = {
    caller,
    client: `${caller.keyId} ${sessionId || context.requestId}`,
    api,
    opening: openingOf(message, sessionId),
  }
  const cancelled = cancelledBy(message)
  if (cancelled !== null) cancelCall(connection.client, cancelled)
  const handler = createMcpHandler(() => makeServer(connection), {
    // Comments keep the connection open while a tool waits.
    responseMode: 'sse',
    // A stream of changes would never have a message: the tools do not change.
    maxSubscriptions: 0,
    onerror: (error) => log().debug({ request_id: context.requestId, error: describeError(error) }, 'mcp'),
  })
  const response = await handler.fetch(libraryRequest(call), { parsedBody: message })
  // The other headers are the same for every answer of the service.
  headers['Content-Type'] = response.headers.get('content-type') ?? 'application/json'
  headers['X-Accel-Buffering'] = 'no'
  const newId = response.ok ? sessionIdFor(message) : null
  if (newId !== null) headers['Mcp-Session-Id'] = newId
  return { status: response.status, headers, body: response.body }
}

async function refused(context: CallContext, error: unknown, headers: Answer['headers']): Promise<Answer> {
  const answer = await refuse(gate, context, error, headers)
  if (answer.status === 401) hintAt('mcp', headers)
  if (answer.status === 405) headers.Allow = 'POST'
  return answer
}

/**
 * Returns the call with the key of the agent and without other credentials, so that the request and its tools have the same caller. A
 * key in the query string is ignored, because access tokens must not be there (MCP, Authorization).
 */
function withKeyOnly({ method, path, headers, body, peer, signal }: Call): Call {
  const { authorization, 'x-beak-key': key, ...others } = headers
  const credential = key === undefined ? { authorization } : { 'x-beak-key': key }
  return {
    method,
    path,
    query: new URLSearchParams(),
    headers: { ...others, ...credential },
    body,
    peer,
    signal,
    // Also for the calls of the tools. Each asks anew: a connection can end while a tool waits.
    findCaller: (auth, of, context) => findCaller(auth, of, context, 'mcp'),
  }
}

/** Returns the JSON-RPC message of a request, or why it cannot be read. Batches are not a message since revision 2025-06-18. */
async function readMessage(call: Call): Promise<{ value: Message; errors: FieldError[] } | Failure> {
  try {
    return await readRoundedJson(call)
  } catch (error) {
    if (error instanceof Failure && error.failure === 'invalid_request') return error
    throw error
  }
}

/** Answers a message with numbers that JSON does not keep. The library would not see them: it reads the rounded ones. */
function refuseNumbers(message: Message, errors: FieldError[], headers: Answer['headers']): Answer {
  const id = errors.some(({ field }) => field === 'id') ? null : idOf(message)
  const named = errors.map(
    ({ field, message: fault }) => `${field.replace(/^params\.arguments\./, '')} ${fault}`,
  )
  const error = {
    code: ProtocolErrorCode.InvalidParams,
    message: `Invalid params: ${named.join('. ')}`,
    data: { errors },
  }
  const answer = badRequest({ jsonrpc: '2.0', id, error }, headers)
  // Clients give an error with the id of the request to the caller of the tool, but only with this status.
  return id === null ? answer : { ...answer, status: 200 }
}

/** Returns the parse error for a body that is no message. It has no id (JSON-RPC 2.0, section 5.1). */
function unreadable({ extras: { errors } }: Failure): object {
  const [fault] = errors ?? []
  const message = `Parse error: ${fault?.field ?? 'body'} ${fault?.message ?? 'is not valid'}`
  return { jsonrpc: '2.0', id: null, error: { code: -32700, message } }
}

function badRequest(message: object, headers: Answer['headers']): Answer {
  headers['Content-Type'] = 'application/json'
  return { status: 400, headers, body: JSON.stringify(message) }
}

const answerTypes = ['application/json', 'text/event-stream']

/** Whether a client takes both types of answers, by name or by a range such as all types. Without a header it takes every type (RFC 9110, section 12.5.1). */
function acceptsBoth(accept = '*/*'): boolean {
  const ranges = accept
    .toLowerCase()
    .split(',')
    .filter((range) => !/;\s*q\s*=\s*0(?:\.0*)?\s*(?:;|$)/.test(range))
    .map((range) => range.split(';')[0]?.trim())
  return answerTypes.every((type) =>
    [type, type.replace(/\/.*/, '/*'), '*/*'].some((range) => ranges.includes(range)),
  )
}

/** Returns the request for the library, which gets only the headers of the transport. The body is passed on beside it. */
function libraryRequest(call: Call): Request {
  const headers = new Headers(
    Object.entries(call.headers).filter(
      (entry): entry is [string, string] =>
        /^(?:accept|content-type|mcp-.+)$/.test(entry[0]) && entry[1] !== undefined,
    ),
  )
  // The library looks for the two types by name, and refuses clients that take every type.
  if (acceptsBoth(call.headers.accept)) headers.set('Accept', answerTypes.join(', '))
  return new Request(mcpUrl(), { method: 'POST', headers, signal: call.signal })
}

/** Returns a function that calls the API on behalf of a request. Its events have the id of that request. */
function apiOf({ headers, peer, signal: disconnected, findCaller }: Call, requestId: string): AgentApi {
  const forwarded = ['authorization', 'x-beak-key', 'user-agent', 'x-forwarded-for'].flatMap((name) =>
    headers[name] === undefined ? [] : [[name, headers[name]] as const],
  )
  const own = { ...Object.fromEntries(forwarded), 'x-request-id': requestId }
  return async <L extends Line>(line: L, input: PlainInput<L> = {}, signal = disconnected) => {
    const { status, body } = await answerApi({
      ...plainCall(line, input, { headers: own, peer, signal }),
      ...(findCaller === undefined ? {} : { findCaller }),
    })
    const data: unknown = JSON.parse(String(body))
    return status === 200
      ? { ok: true, data: data as ResponseOf<L> }
      : { ok: false, problem: data as Problem }
  }
}
