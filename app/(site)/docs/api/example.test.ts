/** Compares the examples of the reference with what the service answers: the same members, and null in the same places. */
import { describe, expect, it } from 'vitest'
import { type Answer, call } from '@/app/beak/_api/call'
import { table } from '@/app/beak/_api/table'
import { aDuckling } from '@/lib/factories/ducklings'
import { openapiDocument } from '@/lib/http/openapi'
import { answerOf, bodyOf } from './example'
import { groupsOf, type OpenapiDocument } from './reference'

const document = openapiDocument(table, 'test') as unknown as OpenapiDocument
const { schemas } = document.components
const operations = groupsOf(document).flatMap((group) => group.operations)

function find(operationId: string) {
  const listed = operations.find(({ operation }) => operation.operationId === operationId)
  if (listed === undefined) throw new Error(`There is no operation ${operationId}.`)
  return listed
}

function exampleOf(operationId: string): unknown {
  const listed = find(operationId)
  const schema = listed.operation.responses['200']?.content?.['application/json']?.schema ?? {}
  return JSON.parse(JSON.stringify(answerOf(listed, schema, schemas)))
}

/** Objects whose members are chosen by the caller. */
const free = ['params', 'param_types']

/** Returns what a value is made of: its members with their types. Of a list, the first element. */
function shapeOf(value: unknown): unknown {
  if (value === null) return 'null'
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf)
  if (typeof value !== 'object') return typeof value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, free.includes(name) ? 'any' : shapeOf(member)]),
  )
}

const target = await aDuckling({ displayName: 'Mallard' })
const owner = await aDuckling({ displayName: 'Teal' })
const registered = await call('POST /beak/agent/register', {
  token: owner.token,
  body: { agent_name: 'Scout', agent_type: 'assistant', capabilities: ['request:peck', 'read:peck'] },
})
const { agent_id, beak_key: key, handshake_token } = registered.body
const bonded = await call('POST /beak/agent/bond', { key, body: { agent_id, handshake_token } })

let requests = 0

/** Asks as in the example. Each request is another one, because an identical one is answered with the first. */
function ask(): Promise<Answer> {
  requests++
  const body = bodyOf(find('requestPeck'), schemas) as object
  const params = { to: `pond${requests}@example.com` }
  return call('POST /beak/peck/request', { key, body: { ...body, target_duckling_id: target.id, params } })
}

const withToken = (token: string) => (line: string, body?: object) =>
  call(line, { token, ...(body ? { body } : {}) })
const asTarget = withToken(target.token)
const asOwner = withToken(owner.token)

async function approved(): Promise<string> {
  const { peck_id } = (await ask()).body
  await asTarget('POST /beak/peck/approve', { peck_id })
  return peck_id
}

const cases: Record<string, () => Promise<Answer> | Answer> = {
  requestPeck: ask,
  cancelPeck: async () => asOwner('POST /beak/peck/cancel', { peck_id: (await ask()).body.peck_id }),
  approvePeck: async () => asTarget('POST /beak/peck/approve', { peck_id: (await ask()).body.peck_id }),
  getPeck: async () => call(`GET /beak/peck/status?peck_id=${await approved()}`, { key }),
  listPecks: async () => {
    await ask()
    return call('GET /beak/peck/history?status=pending', { key })
  },
  snoozePeck: async () =>
    asTarget('POST /beak/peck/snooze', {
      peck_id: (await ask()).body.peck_id,
      until: new Date(Date.now() + 3_600_000).toISOString(),
    }),
  undoDecision: async () => {
    const { peck_id } = (await ask()).body
    await asTarget('POST /beak/peck/reject', { peck_id, reason: 'Ask me in person.', undo_seconds: 10 })
    return asTarget('POST /beak/peck/undo', { peck_id })
  },
  revokeGrant: async () => asTarget('POST /beak/peck/revoke', { peck_id: await approved() }),
  rejectPeck: async () =>
    asTarget('POST /beak/peck/reject', { peck_id: (await ask()).body.peck_id, reason: 'Ask me in person.' }),
  registerAgent: () => registered,
  bondAgent: () => bonded,
  listAgents: () => asOwner('GET /beak/agent/list'),
  issueAgentToken: () => call('POST /beak/agent/token', { key, body: { audience: 'lake.example' } }),
  issueCertificate: () => asTarget('POST /beak/cert/issue'),
  createWebhook: () =>
    asTarget('POST /beak/webhook/create', bodyOf(find('createWebhook'), schemas) as object),
  listWebhooks: () => asTarget('GET /beak/webhook/list'),
}

describe('the example answer', () => {
  it.each(Object.keys(cases))('of %s has the members of a real answer', async (operationId) => {
    const answer = await cases[operationId]?.()
    expect(answer?.status).toBe(200)
    expect(shapeOf(exampleOf(operationId))).toEqual(shapeOf(answer?.body))
  })

  it('does not show the risk where the service does not tell it', () => {
    const seers = Object.keys(cases).filter((name) => 'risk' in (exampleOf(name) as object))
    expect(seers).toEqual([])
  })
})
