/** The MCP server with the official client over HTTP, in both protocol revisions. Two listeners answer in turn. */
import Ajv from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { slotsInUse } from '@/lib/domain/pecks/follow/connection-slots'
import { anAgent } from '@/lib/factories/agents'
import { aDuckling } from '@/lib/factories/ducklings'
import { aPasskey } from '@/lib/factories/passkeys'
import { anApprovedPeck, aPeck } from '@/lib/factories/pecks'
import { aRule, shopRule } from '@/lib/factories/rules'
import { aReceipt } from '@/lib/fixtures/receipts'
import { config } from '@/lib/kernel/config'
import { callTool, McpListeners, revisions } from './_server/client'

/** A busy machine needs more than the second that Vitest waits by default. */
const soon = { timeout: 20_000 }

const listeners = new McpListeners()
beforeAll(() => listeners.start())
afterAll(() => listeners.stop())

const mail = { action: 'send:mail', scope: 'limited', params: { to: 'pond@example.com' } }

/** Makes a person and their agent. */
async function aPair(capabilities?: string[]) {
  const person = await aDuckling()
  const agent = await anAgent(person, capabilities === undefined ? {} : { capabilities })
  return { person, agent }
}

/** The members of schemas that Claude, Gemini and OpenAI take in the tools of a model. */
const taken = [
  ...[
    'type',
    'description',
    'properties',
    'required',
    'items',
    'anyOf',
    'enum',
    'default',
    'format',
    'pattern',
  ],
  ...['minLength', 'maxLength', 'minItems', 'maxItems', 'minimum', 'maximum'],
]

/** Returns the members of a schema and of all schemas in it. Names of properties are no members. */
function membersOf(schema: object): string[] {
  return Object.entries(schema).flatMap(([name, value]) => {
    const inner =
      name === 'properties' || name === 'anyOf' ? Object.values(value) : name === 'items' ? [value] : []
    return [name, ...inner.flatMap((one) => membersOf(one as object))]
  })
}

const approve = (token: string, peckId: string) =>
  call('POST /beak/peck/approve', { token, body: { peck_id: peckId } })

describe.each(revisions)('the MCP server in revision %s', (revision) => {
  // security: agent-27
  it('lists tools with valid schemas, and none that approves', async () => {
    const { agent } = await aPair()
    const client = await listeners.connect(agent.beakKey, revision)
    expect(client.getServerVersion()).toMatchObject({ name: 'beak', websiteUrl: config().baseUrl })
    expect(client.getInstructions()).toContain('ask_permission')
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual([
      'ask_permission',
      'wait_for_decision',
      'use_permission',
      'cancel_request',
      'permission_prompt',
      'verify_certificate',
      'verify_agent',
      'verify_receipt',
      'whoami',
    ])
    const ajv = addFormats(new Ajv({ strict: true, strictTypes: false }))
    for (const { name, inputSchema, outputSchema, title, description, annotations } of tools) {
      // Claude Code reads the answer of this one as text.
      const hasResult = name !== 'permission_prompt'
      expect([inputSchema.type, outputSchema?.type]).toEqual(['object', hasResult ? 'object' : undefined])
      for (const schema of [inputSchema, outputSchema ?? {}]) {
        expect(ajv.validateSchema(schema)).toBe(true)
        ajv.compile(schema)
        expect(membersOf(schema).filter((name) => !taken.includes(name))).toEqual([])
      }
      expect([title, description]).toEqual([expect.any(String), expect.any(String)])
      expect(annotations).toEqual({
        title,
        readOnlyHint: expect.any(Boolean),
        destructiveHint: expect.any(Boolean),
        idempotentHint: expect.any(Boolean),
        openWorldHint: expect.any(Boolean),
      })
    }
  })

  it('asks, waits for the approval, uses the permission once, and refuses the second use', async () => {
    const { person, agent } = await aPair()
    const client = await listeners.connect(agent.beakKey, revision)
    const asked = await callTool(client, 'ask_permission', { ...mail, message: 'The draft is ready.' })
    const { peck_id } = asked.data
    expect(asked).toMatchObject({
      isError: false,
      data: { status: 'pending', target_duckling_id: person.id },
    })
    expect(asked.data.decision_page).toBe(`${config().baseUrl}/pecks/${peck_id}`)
    expect(asked.text).toContain(asked.data.decision_page)
    const waiting = callTool(client, 'wait_for_decision', { peck_id, wait_seconds: 30 })
    await expect.poll(() => slotsInUse(person.id), soon).toBe(1)
    await approve(person.token, peck_id)
    expect(await waiting).toMatchObject({ data: { status: 'approved', grant_status: 'active' } })
    const changed = await callTool(client, 'use_permission', { peck_id, params: { to: 'lake@example.com' } })
    expect(changed).toMatchObject({ isError: true, data: { code: 'E4007' } })
    const used = await callTool(client, 'use_permission', { peck_id, params: mail.params })
    expect(used).toMatchObject({ isError: false, data: { active: true, action: 'send:mail', uses_left: 0 } })
    const again = await callTool(client, 'use_permission', { peck_id, params: mail.params })
    expect(again).toMatchObject({
      isError: true,
      data: { code: 'E4008', reason: 'grant_not_active', current_status: 'consumed' },
    })
    const { body } = await call('GET /beak/audit?limit=5', { token: person.token })
    expect(body.items.map(({ action, outcome }: Record<string, string>) => `${action} ${outcome}`)).toEqual([
      'peck.consumed success',
      'peck.consumed denied',
      'peck.approved success',
      'peck.sent success',
      'agent.bonded success',
    ])
  })

  it('waits for the request that takes the place of an undone approval', async () => {
    const { person, agent } = await aPair()
    const client = await listeners.connect(agent.beakKey, revision)
    const { peck_id } = (await callTool(client, 'ask_permission', mail)).data
    await approve(person.token, peck_id)
    const undone = await call('POST /beak/peck/undo', { token: person.token, body: { peck_id } })
    const again = undone.body.superseded_by
    const use = (id: string) => callTool(client, 'use_permission', { peck_id: id, params: mail.params })
    expect(await use(peck_id)).toMatchObject({ isError: true, data: { current_status: 'revoked' } })
    const waiting = callTool(client, 'wait_for_decision', { peck_id, wait_seconds: 30 })
    await expect.poll(() => slotsInUse(person.id), soon).toBe(1)
    await approve(person.token, again)
    expect(await waiting).toMatchObject({ data: { peck_id: again, grant_status: 'active' } })
    expect((await use(again)).isError).toBe(false)
  })

  it('lets exactly one of 50 simultaneous uses of a one-use permission succeed', async () => {
    const { person, agent } = await aPair()
    const { peck_id, params } = await anApprovedPeck(agent, person)
    const client = await listeners.connect(agent.beakKey, revision)
    const uses = await Promise.all(
      Array.from({ length: 50 }, () => callTool(client, 'use_permission', { peck_id, params })),
    )
    expect(uses.filter(({ isError }) => !isError)).toHaveLength(1)
    expect(new Set(uses.filter(({ isError }) => isError).map(({ data }) => data.code))).toEqual(
      new Set(['E4008']),
    )
  })

  it('asks for an audience with types of parameters, and refuses the permission at another one', async () => {
    const [{ person, agent }, shop] = [await aPair(), await aPair([])]
    const client = await listeners.connect(agent.beakKey, revision)
    const params = { to: 'pond@example.com' }
    const asked = await callTool(client, 'ask_permission', {
      ...{ action: 'send:mail', scope: 'limited', params },
      ...{ param_types: { to: 'email' }, audience: 'mail.example' },
    })
    expect(asked.data).toMatchObject({ param_types: { to: 'email' }, audience: 'mail.example' })
    const { peck_id } = asked.data
    await call('POST /beak/peck/approve', { token: person.token, body: { peck_id } })
    const { body } = await call(`GET /beak/peck/status?peck_id=${peck_id}`, { key: agent.beakKey })
    const site = await listeners.connect(shop.agent.beakKey, revision)
    const use = (audience: string) =>
      callTool(site, 'use_permission', { grant_token: body.grant_token, params, audience })
    expect(await use('other.example')).toMatchObject({ isError: true, data: { code: 'E4007' } })
    expect(await use('mail.example')).toMatchObject({ isError: false, data: { active: true } })
  })

  it('uses the permission of another agent by its grant token', async () => {
    const [{ person, agent }, other] = [await aPair(), await aPair([])]
    const { grant_token, params } = await anApprovedPeck(agent, person)
    const client = await listeners.connect(other.agent.beakKey, revision)
    const used = await callTool(client, 'use_permission', { grant_token, params })
    expect(used).toMatchObject({
      isError: false,
      data: { active: true, requester: { agent_id: agent.agentId } },
    })
    const again = await callTool(client, 'use_permission', { grant_token, params })
    expect(again).toMatchObject({ isError: true, data: { code: 'E4008' } })
  })

  it('waits for the decision while it asks, and says not to act after a rejection', async () => {
    const { person, agent } = await aPair()
    const client = await listeners.connect(agent.beakKey, revision)
    const asking = callTool(client, 'ask_permission', { ...mail, wait_seconds: 30 })
    await expect.poll(() => slotsInUse(person.id), soon).toBe(1)
    const { body } = await call('GET /beak/peck/history?direction=received', { token: person.token })
    const [{ peck_id }] = body.items
    await call('POST /beak/peck/reject', { token: person.token, body: { peck_id, reason: 'Not today.' } })
    expect(await asking).toMatchObject({
      isError: false,
      text: expect.stringContaining('Do not act.'),
      data: { status: 'rejected', reason: 'Not today.' },
    })
  })

  it('withdraws what the agent asked, and nothing that was decided or asked by others', async () => {
    const { person, agent } = await aPair()
    const client = await listeners.connect(agent.beakKey, revision)
    const { data } = await callTool(client, 'ask_permission', mail)
    const withdrawn = await callTool(client, 'cancel_request', { peck_id: data.peck_id })
    expect(withdrawn).toMatchObject({
      isError: false,
      text: expect.stringContaining('Do not act.'),
      data: { status: 'cancelled' },
    })
    const approved = await anApprovedPeck(agent, person)
    const others = await aPeck(await anAgent(person), person)
    for (const [{ peck_id }, code] of [
      [approved, 'E4008'],
      [others, 'E4005'],
    ] as const)
      expect(await callTool(client, 'cancel_request', { peck_id })).toMatchObject({
        isError: true,
        data: { code },
      })
  })

  it('asks another duckling, and returns the same request while it is pending', async () => {
    const [{ agent }, other] = [await aPair(), await aDuckling()]
    const client = await listeners.connect(agent.beakKey, revision)
    const ask = () => callTool(client, 'ask_permission', { ...mail, target_duckling_id: other.id })
    const first = await ask()
    expect(first.data).toMatchObject({ target_duckling_id: other.id, target_display_name: other.displayName })
    expect((await ask()).data).toMatchObject({ peck_id: first.data.peck_id, repeated: true })
  })

  it('reports progress when the client asks for it', async () => {
    const { person, agent } = await aPair()
    const client = await listeners.connect(agent.beakKey, revision)
    const { peck_id } = await aPeck(agent, person)
    const reports: unknown[] = []
    const waiting = callTool(
      client,
      'wait_for_decision',
      { peck_id },
      { onprogress: (report) => reports.push(report) },
    )
    await expect.poll(() => reports, soon).toEqual([expect.objectContaining({ progress: 0, total: 50 })])
    await approve(person.token, peck_id)
    expect(await waiting).toMatchObject({ data: { status: 'approved' } })
  })

  it('ends the wait when the client cancels the call', async () => {
    const { person, agent } = await aPair()
    const client = await listeners.connect(agent.beakKey, revision)
    const { peck_id } = await aPeck(agent, person)
    const abort = new AbortController()
    const waiting = callTool(client, 'wait_for_decision', { peck_id }, { signal: abort.signal })
    await expect.poll(() => slotsInUse(person.id), soon).toBe(1)
    abort.abort()
    await expect(waiting).rejects.toThrow(/abort/i)
    await expect.poll(() => slotsInUse(person.id), soon).toBe(0)
  })

  // security: agent-27
  it('ends the wait of a revoked key with E4001', async () => {
    const { person, agent } = await aPair()
    const client = await listeners.connect(agent.beakKey, revision)
    const { peck_id } = await aPeck(agent, person)
    const waiting = callTool(client, 'wait_for_decision', { peck_id })
    await expect.poll(() => slotsInUse(person.id), soon).toBe(1)
    await call('POST /beak/key/rotate', { token: person.token, body: { agent_id: agent.agentId } })
    expect(await waiting).toMatchObject({ isError: true, data: { code: 'E4001' } })
    await expect(client.listTools()).rejects.toThrow(/E4001|Unauthorized/)
  })

  // security: agent-27
  it('refuses the 21st open wait of an account with E4004', async () => {
    const { person, agent } = await aPair()
    const client = await listeners.connect(agent.beakKey, revision)
    const { peck_id } = await aPeck(agent, person)
    const waits = Array.from({ length: 20 }, () => callTool(client, 'wait_for_decision', { peck_id }))
    await expect.poll(() => slotsInUse(person.id), soon).toBe(20)
    const refused = await callTool(client, 'wait_for_decision', { peck_id })
    expect(refused).toMatchObject({ isError: true, data: { code: 'E4004', retry_after: expect.any(Number) } })
    await approve(person.token, peck_id)
    for (const { data } of await Promise.all(waits)) expect(data.status).toBe('approved')
  })

  it('opens the decision page in a client that supports it, and creates one request', async () => {
    const { person, agent } = await aPair()
    const pages: string[] = []
    const messages: string[] = []
    const client = await listeners.connect(agent.beakKey, revision, async (url, message) => {
      pages.push(url)
      messages.push(message)
      await approve(person.token, url.split('/').at(-1) ?? '')
    })
    const asked = await callTool(client, 'ask_permission', { ...mail, wait_seconds: 30 })
    expect(asked).toMatchObject({ isError: false, data: { status: 'approved' } })
    expect(pages).toEqual([asked.data.decision_page])
    expect(asked.text).toContain(asked.data.decision_page)
    expect(messages).toEqual([expect.stringContaining(asked.data.decision_page)])
    const { body } = await call('GET /beak/peck/history?direction=received', { token: person.token })
    expect(body.items).toHaveLength(1)
  })

  it('does not open the page of another duckling', async () => {
    const [{ agent }, other] = [await aPair(), await aDuckling()]
    const pages: string[] = []
    const client = await listeners.connect(agent.beakKey, revision, async (url) => void pages.push(url))
    const asked = await callTool(client, 'ask_permission', { ...mail, target_duckling_id: other.id })
    expect(asked.data.status).toBe('pending')
    await callTool(client, 'whoami')
    expect(pages).toEqual([])
  })

  it('answers at once what a rule of the person answers, and names the rule and what is left', async () => {
    const { person, agent } = await aPair()
    const { authenticator } = await aPasskey(person)
    const budget = { amount: '€100.00', per: 'month' } as const
    const { rule_id, sentence } = await aRule(person, authenticator, shopRule(agent.agentId, { budget }))
    const client = await listeners.connect(agent.beakKey, revision)
    const rule = { rule_id, sentence, actions: ['pay:invoice'], answer: 'approve' }
    const left = (amount: string) => ({ data: { rules: [{ ...rule, left: { amount } }] } })
    expect(await callTool(client, 'whoami')).toMatchObject(left('€100.00'))
    const params = { amount: '€38.00', to: 'shop@example.com' }
    const asked = await callTool(client, 'ask_permission', { ...mail, action: 'pay:invoice', params })
    expect(asked.data).toMatchObject({ status: 'approved', reason: sentence })
    const used = await callTool(client, 'use_permission', { peck_id: asked.data.peck_id, params })
    expect(used.isError).toBeFalsy()
    expect(await callTool(client, 'whoami')).toMatchObject(left('€62.00'))
  })

  // security: agent-27
  it('returns the refusals of the API as errors with code, text and action', async () => {
    const [{ agent }, { person }] = [await aPair(['request:peck']), await aPair()]
    const client = await listeners.connect(agent.beakKey, revision)
    const unknown = { ...mail, target_duckling_id: 'DUCK-00000000000000000000000000' }
    const { isError, text, data } = await callTool(client, 'ask_permission', unknown)
    expect([isError, data.code]).toEqual([true, 'E4005'])
    expect(text).toBe(`${data.code}: ${data.detail} ${data.action}`)
    // Without the capability read:peck.
    const { peck_id } = await aPeck(await anAgent(person), person)
    for (const name of ['wait_for_decision', 'use_permission'])
      expect(await callTool(client, name, { peck_id })).toMatchObject({
        isError: true,
        data: { code: 'E4007', required_capability: 'read:peck' },
      })
  })

  it('returns a fault of the arguments as an error that names the field', async () => {
    const { agent } = await aPair()
    const client = await listeners.connect(agent.beakKey, revision)
    const faults: [string, Record<string, unknown>, RegExp][] = [
      ['ask_permission', { ...mail, action: 'Send mail' }, /action/],
      ['ask_permission', { ...mail, approve: true }, /approve/],
      ['wait_for_decision', { peck_id: '../details' }, /peck_id/],
      ['use_permission', {}, /either peck_id or grant_token/],
      ['verify_agent', { agent_id: 'AGT-1&x=y' }, /agent_id/],
    ]
    for (const [name, args, message] of faults) {
      const { content, isError } = await client.callTool({ name, arguments: args })
      expect(isError).toBe(true)
      expect(JSON.stringify(content)).toMatch(message)
    }
  })

  // security: agent-5
  it('refuses a number that JSON does not keep, names it, and does not ask the person', async () => {
    const { person, agent } = await aPair()
    const connection = await listeners.connect(agent.beakKey, revision)
    const ask = (params: object) =>
      connection.callTool({ name: 'ask_permission', arguments: { ...mail, params } })
    const sent = ask({ chat_id: 'number:9007199254740993', ids: [1, 'number:1e400'] })
    await expect(sent).rejects.toMatchObject({
      code: -32_602,
      message: expect.stringContaining(
        'params.chat_id must be a string: JSON numbers do not keep so many digits. params.ids.1 must',
      ),
    })
    const { body } = await call('GET /beak/peck/history', { token: person.token })
    expect(body.items).toEqual([])
    expect((await ask({ chat_id: 'number:9007199254740991' })).isError).toBeFalsy()
  })

  it('tells an unbonded agent what to do, and lets it verify', async () => {
    const person = await aDuckling()
    const agent = await anAgent(person, { bonded: false })
    const client = await listeners.connect(agent.beakKey, revision)
    expect(await callTool(client, 'whoami')).toMatchObject({ data: { valid: false, status: 'registered' } })
    expect(await callTool(client, 'ask_permission', mail)).toMatchObject({
      isError: true,
      text: expect.stringContaining('POST /beak/agent/bond'),
      data: { code: 'E4007' },
    })
  })

  it('says who the agent is and for whom it acts', async () => {
    const { person, agent } = await aPair()
    const client = await listeners.connect(agent.beakKey, revision)
    expect((await callTool(client, 'whoami')).data).toMatchObject({
      agent_id: agent.agentId,
      agent_name: agent.name,
      valid: true,
      trust_tier: 'T1',
      operator: { duckling_id: person.id, display_name: person.displayName },
    })
  })

  it('verifies certificates and agents', async () => {
    const { person, agent } = await aPair()
    const issued = await call('POST /beak/cert/issue', { token: person.token, body: {} })
    const client = await listeners.connect(agent.beakKey, revision)
    const { cert_id } = issued.body
    expect((await callTool(client, 'verify_certificate', { cert_id })).data).toMatchObject({
      valid: true,
      tier: 'T1',
    })
    const { agentId: agent_id } = agent
    expect((await callTool(client, 'verify_agent', { agent_id })).data).toMatchObject({
      valid: true,
      agent_id,
    })
    const unknown = await callTool(client, 'verify_agent', { agent_id: 'AGT-00000000000000000000000000' })
    expect(unknown).toMatchObject({ isError: true, data: { code: 'E4005', valid: false } })
  })

  it('verifies receipts, and refuses altered receipts and receipts of other services', async () => {
    const { person, agent } = await aPair()
    const { peck_id } = await anApprovedPeck(agent, person, { action: 'send:mail', params: mail.params })
    const { body: receipt } = await call(`GET /beak/peck/receipt?peck_id=${peck_id}`, { token: person.token })
    const client = await listeners.connect(agent.beakKey, revision)
    const verify = async (args: object) => (await callTool(client, 'verify_receipt', { ...args })).data
    const required = { receipt, require: 'service', action: 'send:mail' }
    expect(await verify({ receipt, params: mail.params })).toMatchObject({
      valid: false,
      fault: expect.stringContaining('require'),
      trust: 'service',
      params_match: true,
    })
    expect(await verify({ ...required, params: mail.params })).toMatchObject({
      valid: true,
      fault: null,
      trust: 'service',
      statement: { peck_id, action: 'send:mail' },
      signed_by_passkey: false,
      params_match: true,
    })
    expect(await verify({ ...required, params: {} })).toMatchObject({ valid: false, params_match: false })
    for (const other of [{ require: 'signed' }, { action: 'send:money' }, { audience: 'shop.example' }])
      expect(await verify({ ...required, ...other })).toMatchObject({ valid: false, trust: 'service' })
    const statement = { ...receipt.statement, action: 'send:money' }
    const invalid = { valid: false, fault: expect.any(String), statement: null, params_match: null }
    expect(
      await verify({ ...required, receipt: { ...receipt, statement }, params: mail.params }),
    ).toMatchObject(invalid)
    expect(await verify({ ...required, receipt: {} })).toMatchObject(invalid)
    expect(
      await verify({ ...required, receipt: await aReceipt({}, { iss: 'https://elsewhere.example' }) }),
    ).toMatchObject(invalid)
  })
})

describe('a client of 2025-11-25', () => {
  // security: agent-28
  it('cannot cancel a call of another client with the same key', async () => {
    const { person, agent } = await aPair()
    const [one, other] = await Promise.all([0, 1].map(() => listeners.connect(agent.beakKey, '2025-11-25')))
    const { peck_id } = await aPeck(agent, person)
    const abort = new AbortController()
    // Both clients count their requests alike, so both calls have the same id.
    const waiting = one && callTool(one, 'wait_for_decision', { peck_id })
    const cancelled = other && callTool(other, 'wait_for_decision', { peck_id }, { signal: abort.signal })
    await expect.poll(() => slotsInUse(person.id), soon).toBe(2)
    abort.abort()
    await expect(cancelled).rejects.toThrow(/abort/i)
    await expect.poll(() => slotsInUse(person.id), soon).toBe(1)
    await approve(person.token, peck_id)
    expect(await waiting).toMatchObject({ data: { status: 'approved' } })
  })
})
