import { expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { type ADuckling, aDuckling } from '@/lib/factories/ducklings'
import { type APasskey, aPasskey } from '@/lib/factories/passkeys'
import { deedsOf } from './deeds'
import type { AuditEvent } from './event-sentence'

const laptop = { from: '192.0.2.1', headers: { 'User-Agent': 'Firefox' } }
const elsewhere = { from: '192.0.2.2', headers: { 'User-Agent': 'Firefox' } }

const register = async ({ token }: ADuckling, device: typeof laptop) => {
  const body = { agent_name: 'Scout', agent_type: 'assistant', capabilities: ['request:peck'] }
  return (await call('POST /beak/agent/register', { token, body, ...device })).status
}

async function confirm({ token }: ADuckling, { authenticator }: APasskey, device: typeof laptop) {
  const options = await call('POST /beak/passkey/challenge', {
    token,
    body: { purpose: 'confirm' },
    ...device,
  })
  const body = { passkey: authenticator.get(options.body) }
  expect((await call('POST /beak/passkey/confirm', { token, body, ...device })).status).toBe(200)
}

async function deeds({ token }: ADuckling) {
  const { body } = await call('GET /beak/audit', { token })
  const nameOf = ({ action, outcome }: AuditEvent) => (outcome === 'denied' ? `refused ${action}` : action)
  return deedsOf(body.items).map(({ event, steps }) => [nameOf(event), ...steps.map(nameOf)])
}

it('joins a deed with the refusal that asked for a passkey and with the passkey', async () => {
  const owner = await aDuckling()
  const passkey = await aPasskey(owner)
  expect(await register(owner, laptop)).toBe(403)
  await confirm(owner, passkey, laptop)
  expect(await register(owner, laptop)).toBe(200)
  expect((await deeds(owner))[0]).toEqual([
    'agent.registered',
    'passkey.confirmed',
    'passkey.challenged',
    'refused agent.registered',
  ])
})

it('keeps the refusal of another device, and one that no passkey followed', async () => {
  const owner = await aDuckling()
  const passkey = await aPasskey(owner)
  expect(await register(owner, elsewhere)).toBe(403)
  await confirm(owner, passkey, laptop)
  expect(await register(owner, laptop)).toBe(200)
  expect(await deeds(owner)).toContainEqual(['refused agent.registered'])

  const other = await aDuckling()
  await aPasskey(other)
  expect(await register(other, laptop)).toBe(403)
  expect(await deeds(other)).toContainEqual(['refused agent.registered'])
})

it('joins the passkey prompt that signed a rule with the rule, of the same device only', () => {
  const event = (action: string, metadata: object, ip = '192.0.2.1') =>
    ({
      action,
      metadata,
      outcome: 'success',
      actor: { type: 'duckling', id: 'DUCK-1' },
      targets: [],
      context: { ip, user_agent: 'Firefox', request_id: null },
      occurred_at: '2027-01-10T12:00:00.000Z',
    }) as unknown as AuditEvent
  const prompt = { purpose: 'rule' }
  for (const kind of ['rule.created', 'rule.updated', 'rule.resumed'])
    expect(deedsOf([event(kind, {}), event('passkey.challenged', prompt)])).toHaveLength(1)
  expect(deedsOf([event('rule.created', {}), event('passkey.challenged', prompt, '192.0.2.2')])).toHaveLength(
    2,
  )
})
