/** Calls that change something, repeated after a broken connection on a real service. */
import { Beak } from '@beak/client'
import { beforeEach, describe, expect, it } from 'vitest'
import { anAgent } from '@/lib/factories/agents'
import { type ADuckling, aDuckling } from '@/lib/factories/ducklings'
import { anApprovedPeck } from '@/lib/factories/pecks'
import { startFaultServer } from './fault-server'
import { startService } from './service'

const url = startService()
const faults = startFaultServer(url)
let person: ADuckling
let beak: Beak

beforeEach(async () => {
  person = await aDuckling()
  beak = new Beak({ url: url(), token: person.token, maxRetryDelay: 2_000 })
})

const newAgent = { agent_name: 'Scout', agent_type: 'assistant', capabilities: ['read:peck'] }
const keysOf = async (run: ReturnType<typeof faults.run>) =>
  (await run.requests()).map(({ headers }) => headers['idempotency-key'])

describe('a POST that accepts an idempotency key', () => {
  it.each(['cut', 'cut-after', 'bad-gateway', 'error-E5002'])('has one effect after %s', async (fault) => {
    const run = faults.run(fault, 1)
    const { agent_id, beak_key } = await beak.with({ url: run.url }).registerAgent(newAgent)
    expect(await beak.listAgents()).toMatchObject({ items: [{ agent_id }], next_cursor: null })
    // The repetition returned the secret of the first answer, which is shown only once.
    expect(
      await new Beak({ url: url(), key: beak_key })
        .bondAgent({ agent_id, handshake_token: 'x' })
        .catch((e) => e),
    ).toMatchObject({ code: 'E4006' })
    const keys = await keysOf(run)
    expect(keys).toEqual([keys[0], keys[0]])
  })

  it('has another key for each call', async () => {
    const run = faults.run('none')
    await beak.with({ url: run.url }).registerAgent(newAgent)
    await beak.with({ url: run.url }).registerAgent(newAgent)
    const [first = '', second = ''] = await keysOf(run)
    expect(first).toMatch(/^[0-9a-f]{32}$/)
    expect(second).not.toBe(first)
    expect((await beak.listAgents()).items).toHaveLength(2)
  })

  it('returns the same answer to a second call with the same key of the program', async () => {
    const options = { idempotencyKey: 'job-7' }
    const { agent_id } = await beak.registerAgent(newAgent, options)
    expect(await beak.registerAgent(newAgent, options)).toMatchObject({ agent_id })
  })

  it('is refused with E4013 when the same key comes with another input', async () => {
    const options = { idempotencyKey: 'job-7' }
    await beak.registerAgent(newAgent, options)
    const other = beak.registerAgent({ ...newAgent, agent_name: 'Other' }, options)
    await expect(other).rejects.toMatchObject({ code: 'E4013', status: 422 })
  })
})

describe('requestPermission', () => {
  it('asks once when the connection breaks after the question', async () => {
    const { beakKey } = await anAgent(await aDuckling())
    const run = faults.run('cut-after', 1)
    const agent = new Beak({ url: run.url, key: beakKey, maxRetryDelay: 2_000 })
    const { refusal, peck } = await agent.requestPermission(
      { target: person.id, action: 'send:email' },
      { wait: 0 },
    )
    expect(refusal).toEqual({ kind: 'pending' })
    expect(await beak.listPecks()).toMatchObject({ items: [{ peck_id: peck.peck_id }], next_cursor: null })
  })
})

describe('usePermission', () => {
  it('succeeds when the connection breaks after the use, and spends one use', async () => {
    const { grant_token } = await anApprovedPeck(await aDuckling(), person)
    const shop = new Beak({ url: faults.run('cut-after', 1).url, maxRetryDelay: 2_000 })
    expect(await shop.usePermission(grant_token)).toMatchObject({ active: true, uses_left: 0 })
    await expect(shop.usePermission(grant_token)).rejects.toMatchObject({ refusal: 'consumed' })
  })

  // security: agent-17
  it('refuses the answer to an earlier use with a key of the program', async () => {
    const { grant_token } = await anApprovedPeck(await aDuckling(), person, { scope: 'timed' })
    const shop = new Beak({ url: url() })
    const options = { idempotencyKey: `order-${person.id}` }
    expect(await shop.usePermission(grant_token, undefined, options)).toMatchObject({ active: true })
    const again = shop.usePermission(grant_token, undefined, options)
    await expect(again).rejects.toMatchObject({ refusal: 'consumed' })
    const directly = shop.consumeGrant({ grant_token }, options)
    await expect(directly).rejects.toMatchObject({ code: 'E4008', problem: { current_status: 'consumed' } })
  })

  // security: agent-18
  it('is refused when the permission was revoked before the repetition', async () => {
    const { peck_id, grant_token } = await anApprovedPeck(await aDuckling(), person, { scope: 'timed' })
    let attempts = 0
    const shop = new Beak({
      url: url(),
      // Loses the first answer, and revokes the permission before the client repeats the call.
      fetch: async (address, init) => {
        const response = await fetch(address, init)
        if (++attempts > 1) return response
        await beak.revokeGrant({ peck_id })
        throw new TypeError('The connection broke')
      },
    })
    await expect(shop.usePermission(grant_token)).rejects.toMatchObject({ refusal: 'revoked' })
    expect(attempts).toBe(2)
  })
})
