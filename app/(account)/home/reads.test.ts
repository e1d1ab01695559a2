import { expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { aDuckling } from '@/lib/factories/ducklings'
import { aPasskey } from '@/lib/factories/passkeys'
import { withoutSteps } from './reads'

const denied = (failure: string) => ({ outcome: 'denied' as const, metadata: { failure } })
const agent = { agent_name: 'Scout', agent_type: 'assistant', capabilities: ['request:peck'] }

it('shows no refusal for a step-up before a registration', async () => {
  const owner = await aDuckling()
  await aPasskey(owner)
  expect((await call('POST /beak/agent/register', { token: owner.token, body: agent })).status).toBe(403)
  const { items } = (await call('GET /beak/audit', { token: owner.token })).body
  expect(items.some(({ outcome }: { outcome: string }) => outcome === 'denied')).toBe(true)
  expect(
    withoutSteps(items as Parameters<typeof withoutSteps>[0]).filter(({ outcome }) => outcome === 'denied'),
  ).toEqual([])
})

it('shows wrong codes only when there are more than a person mistypes', () => {
  const wrong = denied('code_invalid')
  expect(withoutSteps([wrong, wrong])).toEqual([])
  expect(withoutSteps([wrong, wrong, wrong])).toHaveLength(3)
})

it('shows other refusals', () => {
  expect(withoutSteps([denied('too_many_pecks'), denied('fresh_passkey_needed')])).toHaveLength(1)
})
