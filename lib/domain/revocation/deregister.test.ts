import { expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { deregisterAgent } from '@/lib/domain/revocation/deregister'
import { anAgent } from '@/lib/factories/agents'
import { aDuckling } from '@/lib/factories/ducklings'
import { aPasskey } from '@/lib/factories/passkeys'
import { anApprovedPeck, aPeck } from '@/lib/factories/pecks'
import { aRule, shopRule } from '@/lib/factories/rules'
import { anSsoToken } from '@/lib/fixtures/sso'

it('counts what deregistering the agent ends, and only for its operator', async () => {
  const [operator, target] = [await aDuckling(), await aDuckling()]
  const agent = await anAgent(operator)
  await aPeck(agent, target, { action: 'read:calendar' })
  await aPeck(agent, target, { action: 'read:photos' })
  await anApprovedPeck(agent, target, { action: 'read:notes' })
  await anSsoToken(agent.context())
  await aPeck(operator, target, { action: 'read:calendar' })
  const { authenticator } = await aPasskey(operator)
  await aRule(operator, authenticator, shopRule(agent.agentId))
  const preview = async (token: string) => {
    const { status, body } = await call(`GET /beak/agent/deregister/preview?agent_id=${agent.agentId}`, {
      token,
    })
    expect(status).toBe(200)
    return body
  }
  const none = { agent_id: agent.agentId, pending_pecks: 0, active_grants: 0, sso_tokens: 0, rules: 0 }

  const before = await preview(operator.token)
  expect(before).toEqual({ ...none, pending_pecks: 2, active_grants: 1, sso_tokens: 1, rules: 1 })
  expect(await preview(target.token)).toEqual(none)

  const ended = await deregisterAgent(await operator.context(), agent.agentId)
  const { pending_pecks, active_grants, sso_tokens, rules } = before
  expect([pending_pecks, active_grants, sso_tokens, rules]).toEqual([
    ended.cancelled_pecks.length,
    ended.revoked_grants.length,
    ended.revoked_sso_tokens.length,
    ended.ended_rules.length,
  ])
  expect(await preview(operator.token)).toEqual(none)
})
