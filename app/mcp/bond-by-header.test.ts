/** Bonding with the header `X-Beak-Handshake` at the MCP server. */
import { describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { writeRefusals } from '@/lib/domain/agents/refusals'
import { anAgent } from '@/lib/factories/agents'
import { aDuckling, randomAddress } from '@/lib/factories/ducklings'
import { answerRequest } from '@/lib/http/adapters'
import { answerMcp } from './_server/answer'

const list = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }

/** Sends a request of 2025-11-25 with a key and a handshake. */
function send(key: string, handshake?: string, path = '/mcp'): Promise<Response> {
  const request = new Request(`http://localhost:3000${path}`, {
    method: 'POST',
    headers: {
      Accept: 'application/json, text/event-stream',
      'Content-Type': 'application/json',
      Authorization: `Bearer ${key}`,
      ...(handshake === undefined ? {} : { 'X-Beak-Handshake': handshake }),
    },
    body: JSON.stringify(list),
  })
  return answerRequest(request, answerMcp, randomAddress())
}

async function events(ducklingId: string) {
  await writeRefusals(new Date())
  const found = await db().auditEvent.findMany({ where: { ducklingId, action: 'agent.bonded' } })
  return found.map(({ outcome }) => outcome)
}

const statusOf = async (key: string) => (await call('GET /beak/peck/history', { key })).status

describe('a request with a handshake', () => {
  it('bonds the agent and is answered, and later requests with the same header are answered too', async () => {
    const duckling = await aDuckling()
    const agent = await anAgent(duckling, { bonded: false })
    expect(await statusOf(agent.beakKey)).toBe(403)
    for (let turn = 0; turn < 3; turn++)
      expect((await send(agent.beakKey, agent.handshakeToken)).status).toBe(200)
    expect(await statusOf(agent.beakKey)).toBe(200)
    expect(await events(duckling.id)).toEqual(['success'])
  })

  // security: agent-14
  it('bonds once for 50 simultaneous requests, and all are answered', async () => {
    const duckling = await aDuckling()
    const agent = await anAgent(duckling, { bonded: false })
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => send(agent.beakKey, agent.handshakeToken)),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect((await events(duckling.id)).filter((outcome) => outcome === 'success')).toHaveLength(1)
  })

  it.each(['', 'nonsense', 'x'.repeat(300)])(
    'is answered and bonds nothing when the handshake is %j',
    async (handshake) => {
      const agent = await anAgent(await aDuckling(), { bonded: false })
      expect((await send(agent.beakKey, handshake)).status).toBe(200)
      expect(await statusOf(agent.beakKey)).toBe(403)
    },
  )

  // security: agent-14
  it('bonds nothing with the handshake of another agent, which keeps its handshake', async () => {
    const duckling = await aDuckling()
    const [agent, other] = [
      await anAgent(duckling, { bonded: false }),
      await anAgent(duckling, { bonded: false }),
    ]
    expect((await send(agent.beakKey, other.handshakeToken)).status).toBe(200)
    expect([await statusOf(agent.beakKey), await statusOf(other.beakKey)]).toEqual([403, 403])
    expect((await send(other.beakKey, other.handshakeToken)).status).toBe(200)
    expect(await statusOf(other.beakKey)).toBe(200)
  })

  // security: agent-14
  it('does not resume a suspended agent', async () => {
    const duckling = await aDuckling()
    const agent = await anAgent(duckling, { bonded: false })
    const { status } = await call('POST /beak/agent/suspend', {
      token: duckling.token,
      body: { agent_id: agent.agentId },
    })
    expect(status).toBe(200)
    await send(agent.beakKey, agent.handshakeToken)
    expect(await statusOf(agent.beakKey)).toBe(403)
  })

  // security: agent-14
  it('is refused without a valid key, and with the key in the query string, and bonds nothing', async () => {
    const agent = await anAgent(await aDuckling(), { bonded: false })
    const wrong = `${agent.beakKey.slice(0, -1)}${agent.beakKey.endsWith('X') ? 'Y' : 'X'}`
    expect((await send(wrong, agent.handshakeToken)).status).toBe(401)
    expect((await send(wrong, agent.handshakeToken, `/mcp?beak_key=${agent.beakKey}`)).status).toBe(401)
    expect(await statusOf(agent.beakKey)).toBe(403)
  })
})
