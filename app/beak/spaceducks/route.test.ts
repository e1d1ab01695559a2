import { describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { issueCertificate } from '@/lib/domain/certs/issue'
import { anAgent } from '@/lib/factories/agents'
import { aDuckling, joinedIn } from '@/lib/factories/ducklings'
import { pageOf } from '@/lib/kernel/request/page'

interface Entry {
  duckling_id: string
  display_name: string
  trust_tier: string
}

/** Reads pages of the directory, from the newest entry or from a cursor, until all of these names were found. */
async function readUntil(query: string, until: string[], from = ''): Promise<Entry[]> {
  const seen: Entry[] = []
  let cursor = from
  for (;;) {
    const { status, body } = await call(`GET /beak/spaceducks?${query}${cursor}`)
    expect(status).toBe(200)
    seen.push(...body.items)
    if (until.every((name) => seen.some((entry) => entry.display_name === name))) break
    if (body.next_cursor === null) break
    cursor = `&cursor=${encodeURIComponent(body.next_cursor)}`
  }
  return seen
}

describe('200', () => {
  // security: stranger-27, check-35
  it('shows exactly the public fields of a duckling, with a masked id', async () => {
    const { id, displayName } = await aDuckling()
    const [entry] = (await readUntil('limit=100', [displayName])).filter(
      (item) => item.display_name === displayName,
    )
    expect(entry).toEqual({
      duckling_id: `DUCK-…${id.slice(-4)}`,
      display_name: displayName,
      trust_tier: 'T1',
      certified: false,
      bonded_agents: 0,
      joined: await joinedIn(id),
    })
  })

  it('shows whether a duckling is certified and how many agents are bonded', async () => {
    const duckling = await aDuckling()
    await issueCertificate(await duckling.context())
    const { agentId } = await anAgent(duckling)
    await anAgent(duckling, { bonded: false })
    const entry = async () =>
      (await readUntil('limit=100', [duckling.displayName])).find(
        ({ display_name }) => display_name === duckling.displayName,
      )
    expect(await entry()).toMatchObject({ certified: true, bonded_agents: 1 })
    await call('POST /beak/agent/suspend', { token: duckling.token, body: { agent_id: agentId } })
    await call('POST /beak/cert/revoke', { token: duckling.token, body: { reason: 'Moult' } })
    expect(await entry()).toMatchObject({ certified: false, bonded_agents: 0 })
  })

  it('returns only a page without a credential', async () => {
    const { body } = await call('GET /beak/spaceducks?limit=1')
    expect(Object.keys(body).sort()).toEqual(['items', 'next_cursor'])
  })

  it('adds the caller’s full profile for a session, even when the caller is not listed', async () => {
    const hidden = await aDuckling({ tier: 'T0' })
    const { body } = await call('GET /beak/spaceducks?limit=1', { token: hidden.token })
    expect(Object.keys(body).sort()).toEqual(['items', 'next_cursor', 'self'])
    expect(body.self).toEqual((await call('GET /beak/profile', { token: hidden.token })).body)
  })

  it('adds the operator’s profile for a bonded agent with the capability', async () => {
    const owner = await aDuckling()
    const agent = await anAgent(owner, { capabilities: ['read:profile'] })
    const { status, body } = await call('GET /beak/spaceducks?limit=1', { key: agent.beakKey })
    expect(status).toBe(200)
    expect(body.self).toEqual((await call('GET /beak/profile', { token: owner.token })).body)
    const asBearer = await call('GET /beak/spaceducks?limit=1', { token: agent.beakKey })
    expect(asBearer.body.self).toEqual(body.self)
    const inQuery = await call(`GET /beak/spaceducks?limit=1&beak_key=${agent.beakKey}`)
    expect(inQuery.body.self).toEqual(body.self)
    expect(inQuery.headers.get('deprecation')).not.toBeNull()
  })

  it('returns only a page for any other valid key', async () => {
    const owner = await aDuckling()
    const keys = [
      await anAgent(owner, { capabilities: ['read:peck'] }),
      await anAgent(owner, { bonded: false }),
      await anAgent(owner),
    ]
    const token = owner.token
    await call('POST /beak/agent/suspend', { token, body: { agent_id: keys[2]?.agentId } })
    for (const { beakKey } of keys) {
      const { status, body } = await call('GET /beak/spaceducks?limit=1', { key: beakKey })
      expect([status, Object.keys(body).sort()]).toEqual([200, ['items', 'next_cursor']])
    }
  })

  // security: stranger-27, D6
  it('does not list ducklings at T0 or hidden ones', async () => {
    const unverified = await aDuckling({ tier: 'T0' })
    const hidden = await aDuckling()
    await call('POST /beak/profile/update', { token: hidden.token, body: { directory_visible: false } })
    const newest = await aDuckling()
    const names = (await readUntil('limit=100', [newest.displayName])).map((entry) => entry.display_name)
    expect(names).toContain(newest.displayName)
    expect(names).not.toContain(unverified.displayName)
    expect(names).not.toContain(hidden.displayName)
    const { status, body } = await call('GET /beak/spaceducks?tier=T0')
    expect(status).toBe(200)
    expect(body.items.map((entry: { display_name: string }) => entry.display_name)).not.toContain(
      unverified.displayName,
    )
  })

  it('filters by tier', async () => {
    for (const tier of ['T2', 'T3'] as const) {
      const { displayName } = await aDuckling({ tier })
      const seen = await readUntil(`tier=${tier}&limit=100`, [displayName])
      expect(seen.map((entry) => entry.display_name)).toContain(displayName)
      expect(new Set(seen.map((entry) => entry.trust_tier))).toEqual(new Set([tier]))
    }
  })

  it('pages newest first without gaps or duplicates while new ducklings sign up', async () => {
    const names: string[] = []
    for (let index = 0; index < 5; index++) names.unshift((await aDuckling()).displayName)
    const { body } = await call('GET /beak/spaceducks?limit=1')
    await aDuckling()
    const later = await readUntil('limit=2', [names[4] ?? ''], `&cursor=${body.next_cursor}`)
    const shown = [...body.items, ...later].map((entry: Entry) => entry.display_name)
    expect(shown.filter((name) => names.includes(name))).toEqual(names)
  })

  it('reduces a limit above 100 to 100', async () => {
    for (const limit of ['100000', '9'.repeat(30), '9'.repeat(400)])
      expect((await call(`GET /beak/spaceducks?limit=${limit}`)).status).toBe(200)
  })

  // security: stranger-27
  it('does not reveal the masked id in the cursor', async () => {
    const first = await aDuckling()
    const second = await aDuckling()
    const { body } = await call('GET /beak/spaceducks?limit=1')
    const { body: next } = await call(`GET /beak/spaceducks?limit=1&cursor=${body.next_cursor}`)
    expect(next.items[0].duckling_id).toMatch(/^DUCK-…[0-9A-Z]{4}$/)
    for (const cursor of [body.next_cursor, next.next_cursor]) {
      const bytes = Buffer.from(cursor, 'base64url').toString('latin1')
      expect(bytes).not.toMatch(/DUCK|[0-9A-Z]{16}/)
      for (const id of [first.id, second.id]) expect(bytes).not.toContain(id.slice(5, 15))
    }
  })
})

describe('400', () => {
  const forged = pageOf(['DUCK-01JDAB0000000000000000', ''], { limit: 1, after: null }, String, String)
  it.each([
    'tier=T4',
    'tier=t1',
    'tier=T1&tier=T2',
    'limit=0',
    'limit=-1',
    'limit=abc',
    'limit=1e2',
    'cursor=',
    'cursor=AAAA',
    `cursor=${forged.next_cursor}`,
    'offset=1',
  ])('rejects ?%s', async (query) => {
    const { status, body } = await call(`GET /beak/spaceducks?${query}`)
    expect([status, body.code]).toEqual([400, 'E4000'])
  })
})

describe('429', () => {
  it('counts calls per IP address, and per duckling with a valid session', async () => {
    const { headers } = await call('GET /beak/spaceducks?limit=1')
    expect(headers.get('ratelimit-policy')).toBe('"anonymous";q=120;w=60;burst=120')
    const { token } = await aDuckling()
    const own = await call('GET /beak/spaceducks?limit=1', { token })
    expect(own.headers.get('ratelimit-policy')).toBe('"authenticated";q=600;w=60;burst=300')
    const refused = await call('GET /beak/spaceducks?limit=1', { token: 'nonsense' })
    expect(refused.headers.get('ratelimit-policy')).toBe('"anonymous";q=120;w=60;burst=120')
  })
})
