import { describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { anAgent } from '@/lib/factories/agents'
import { aDuckling } from '@/lib/factories/ducklings'
import { anApprovedPeck, aPeck } from '@/lib/factories/pecks'
import { anSsoToken } from '@/lib/fixtures/sso'

describe('the full name of a person', () => {
  it('is shown wherever the display name is, and its absence changes nothing for older clients', async () => {
    const [anna, plain] = [await aDuckling({ fullName: 'محمد' }), await aDuckling()]
    const agent = await anAgent(anna)
    const { peck_id } = await aPeck(agent, plain)
    const { body: asked } = await call(`GET /beak/peck/status?peck_id=${peck_id}`, { token: plain.token })
    expect(asked.requester).toMatchObject({ display_name: anna.displayName, full_name: 'محمد' })
    expect(asked.summary).toContain('of \u2068محمد\u2069 (tier T1)')
    expect(asked).not.toHaveProperty('target_full_name')

    const { peck_id: received, grant_token: grant } = await anApprovedPeck(plain, anna)
    const { body: answered } = await call(`GET /beak/peck/status?peck_id=${received}`, { token: plain.token })
    expect(answered).toMatchObject({ target_display_name: anna.displayName, target_full_name: 'محمد' })
    expect(answered.requester).not.toHaveProperty('full_name')
    const granted = await call('GET /beak/profile', {
      token: plain.token,
      headers: { 'X-Peck-Grant': grant },
    })
    expect(granted.body).toMatchObject({ display_name: anna.displayName, full_name: 'محمد' })

    const { body: checked } = await call(`GET /beak/agent/verify?agent_id=${agent.agentId}`)
    expect(checked.operator).toMatchObject({ display_name: anna.displayName, full_name: 'محمد' })
    const sso = await call(`GET /beak/sso/verify?token=${await anSsoToken(anna.context())}`)
    expect(sso.body).toMatchObject({ display_name: anna.displayName, full_name: 'محمد' })
    const { body: directory } = await call(`GET /beak/spaceducks?q=${anna.displayName}`)
    expect(directory.items).toMatchObject([{ display_name: anna.displayName, full_name: 'محمد' }])

    const { body: askers } = await call('GET /beak/peck/askers', { token: plain.token })
    expect(askers.items).toMatchObject([{ name: agent.name, operator_name: 'محمد' }])
    await call('POST /beak/peck/block', { token: plain.token, body: { duckling_id: anna.id } })
    const { body: blocks } = await call('GET /beak/peck/blocks', { token: plain.token })
    expect(blocks.items).toMatchObject([{ display_name: anna.displayName, full_name: 'محمد' }])
    const { body: log } = await call('GET /beak/audit?names=true', { token: plain.token })
    expect(log.names[anna.id]).toBe('محمد')
    const { body: options } = await call('POST /beak/passkey/register', { token: anna.token })
    expect(options.user.displayName).toBe('محمد')
  })
})
