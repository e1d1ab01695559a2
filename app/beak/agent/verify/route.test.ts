import { describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { resumeAgent } from '@/lib/domain/agents/resume'
import { suspendAgent } from '@/lib/domain/agents/suspend'
import { deregisterAgent } from '@/lib/domain/revocation/deregister'
import { anAgent } from '@/lib/factories/agents'
import { aDuckling } from '@/lib/factories/ducklings'
import { maskId, newId } from '@/lib/kernel/ids'

const verify = (agentId: string) => call(`GET /beak/agent/verify?agent_id=${agentId}`)

describe('200', () => {
  it('returns valid for a bonded agent, and its operator with a masked id', async () => {
    const duckling = await aDuckling({ tier: 'T2' })
    const agent = await anAgent(duckling, { capabilities: ['read:profile'] })
    const { status, body } = await verify(agent.agentId)
    expect(status).toBe(200)
    expect(body).toEqual({
      agent_id: agent.agentId,
      valid: true,
      status: 'bonded',
      agent_name: agent.name,
      agent_type: 'assistant',
      capabilities: ['read:profile'],
      bonded_at: expect.stringMatching(/Z$/),
      operator: {
        duckling_id: maskId(duckling.id),
        display_name: duckling.displayName,
        trust_tier: 'T2',
        certified: false,
        cert_id: null,
      },
      checked_at: expect.stringMatching(/Z$/),
    })
    expect(JSON.stringify(body)).not.toContain(duckling.id)
  })

  it('names the operator’s certificate while it is active', async () => {
    const duckling = await aDuckling()
    const { agentId } = await anAgent(duckling)
    const issued = await call('POST /beak/cert/issue', { token: duckling.token })
    const { cert_id } = issued.body
    expect((await verify(agentId)).body.operator).toMatchObject({ certified: true, cert_id })
    await call('POST /beak/cert/revoke', { token: duckling.token, body: { reason: 'over' } })
    expect((await verify(agentId)).body.operator).toMatchObject({ certified: false, cert_id: null })
  })

  it('returns not valid for an agent that is not bonded or whose operator’s account is closed', async () => {
    const duckling = await aDuckling()
    const fresh = await anAgent(duckling, { bonded: false })
    expect((await verify(fresh.agentId)).body).toMatchObject({ valid: false, status: 'registered' })
    const { agentId } = await anAgent(duckling)
    await suspendAgent(await duckling.context(), agentId)
    expect((await verify(agentId)).body).toMatchObject({ valid: false, status: 'suspended' })
    await resumeAgent(await duckling.context(), agentId)
    expect((await verify(agentId)).body).toMatchObject({ valid: true, status: 'bonded' })
    await deregisterAgent(await duckling.context(), agentId)
    expect((await verify(agentId)).body).toMatchObject({ valid: false, status: 'deregistered' })
    const orphan = await anAgent(duckling)
    await db().duckling.update({ where: { id: duckling.id }, data: { deletedAt: new Date() } })
    expect((await verify(orphan.agentId)).body.valid).toBe(false)
  })
})

describe('400 and 404', () => {
  it.each(['AGT-1', 'DUCK-0123456789ABCDEFGHJKMNPQRS', ''])('rejects %j as an id', async (agentId) => {
    expect((await verify(agentId)).status).toBe(400)
  })

  it('returns not valid for an unknown agent', async () => {
    const { status, body } = await verify(newId('agent', new Date()))
    expect([status, body.code, body.valid]).toEqual([404, 'E4005', false])
  })
})
