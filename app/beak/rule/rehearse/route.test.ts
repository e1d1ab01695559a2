import { describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { pauseRule } from '@/lib/domain/pecks/rules/commands'
import { anAgent } from '@/lib/factories/agents'
import { aDuckling } from '@/lib/factories/ducklings'
import { aPasskey } from '@/lib/factories/passkeys'
import { aRule, shopRule } from '@/lib/factories/rules'

async function rehearsal() {
  const owner = await aDuckling()
  const { authenticator } = await aPasskey(owner)
  const { agentId } = await anAgent(owner)
  const { rule_id } = await aRule(owner, authenticator, shopRule(agentId))
  const rehearse = (change = {}, body: object = { rule_id }) =>
    call('POST /beak/rule/rehearse', {
      token: owner.token,
      body: { rule: shopRule(agentId, change), ...body },
    })
  return { owner, rule_id, rehearse }
}

const narrow = { params: { amount: { at_most: '€20.00' }, to: { equals: 'shop@example.com' } } }
const wide = { params: { amount: { at_most: '€80.00' }, to: { equals: 'shop@example.com' } } }

describe('needs_passkey', () => {
  it('is true for a new rule and a wider one, and false for a narrower one', async () => {
    const { rehearse } = await rehearsal()
    const needs = async (...sent: Parameters<typeof rehearse>) => (await rehearse(...sent)).body.needs_passkey
    expect(await needs(narrow, {})).toBe(true)
    expect(await needs(wide)).toBe(true)
    expect(await needs(narrow)).toBe(false)
  })

  it('is true for a paused rule, also when it becomes narrower', async () => {
    const { owner, rule_id, rehearse } = await rehearsal()
    await pauseRule(await owner.context(), rule_id)
    expect((await rehearse(narrow)).body.needs_passkey).toBe(true)
  })

  it('returns 404 for a rule of somebody else', async () => {
    const [{ rehearse }, other] = [await rehearsal(), await rehearsal()]
    expect(await rehearse(narrow, { rule_id: other.rule_id })).toMatchObject({
      status: 404,
      body: { code: 'E4005' },
    })
  })
})
