import { describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { aDuckling } from '@/lib/fixtures/ducklings'
import { pageOf } from '@/lib/kernel/page'

interface Entry {
  duckling_id: string
  display_name: string
}

/** Walks the directory from its newest end until all of these names have been seen, or `most` pages. */
async function walk(query: string, until: string[], most = 20): Promise<Entry[]> {
  const seen: Entry[] = []
  let cursor = ''
  for (let page = 0; page < most; page++) {
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
  it('shows exactly what is public of a duckling, its id masked', async () => {
    const { id, displayName } = await aDuckling()
    const [entry] = (await walk('limit=100', [displayName])).filter(
      (item) => item.display_name === displayName,
    )
    expect(entry).toEqual({
      duckling_id: `DUCK-…${id.slice(-4)}`,
      display_name: displayName,
      trust_tier: 'T1',
      certified: false,
      bonded_agents: 0,
      joined: new Date().toISOString().slice(0, 7),
    })
  })

  it('answers strangers with nothing but a page', async () => {
    const { body } = await call('GET /beak/spaceducks?limit=1')
    expect(Object.keys(body).sort()).toEqual(['items', 'next_cursor'])
  })

  it('adds the full profile of who is signed in, listed or not', async () => {
    const hidden = await aDuckling({ tier: 'T0' })
    const { body } = await call('GET /beak/spaceducks?limit=1', { token: hidden.token })
    expect(Object.keys(body).sort()).toEqual(['items', 'next_cursor', 'self'])
    expect(body.self).toEqual((await call('GET /beak/profile', { token: hidden.token })).body)
  })

  it('lists nobody who is at T0 or has hidden themselves', async () => {
    const unverified = await aDuckling({ tier: 'T0' })
    const hidden = await aDuckling()
    await call('POST /beak/profile/update', { token: hidden.token, body: { directory_visible: false } })
    const newest = await aDuckling()
    const names = (await walk('limit=100', [newest.displayName])).map((entry) => entry.display_name)
    expect(names).toContain(newest.displayName)
    expect(names).not.toContain(unverified.displayName)
    expect(names).not.toContain(hidden.displayName)
    const { body } = await call('GET /beak/spaceducks?tier=T0')
    expect(body).toEqual({ items: [], next_cursor: null })
  })

  it('shows one tier where that is asked for', async () => {
    const first = await aDuckling({ tier: 'T2' })
    const second = await aDuckling({ tier: 'T3' })
    const { body } = await call('GET /beak/spaceducks?tier=T2&limit=1')
    expect(body.items).toMatchObject([{ display_name: first.displayName, trust_tier: 'T2' }])
    const { body: third } = await call('GET /beak/spaceducks?tier=T3&limit=1')
    expect(third.items).toMatchObject([{ display_name: second.displayName, trust_tier: 'T3' }])
  })

  it('turns its pages newest first, without a gap or a repetition, while others arrive', async () => {
    const names: string[] = []
    for (let index = 0; index < 5; index++) names.push((await aDuckling()).displayName)
    const { body: first } = await call('GET /beak/spaceducks?limit=2')
    await aDuckling()
    const { body: second } = await call(`GET /beak/spaceducks?limit=2&cursor=${first.next_cursor}`)
    const { body: third } = await call(`GET /beak/spaceducks?limit=1&cursor=${second.next_cursor}`)
    const shown = [first, second, third].flatMap(({ items }) =>
      items.map((entry: Entry) => entry.display_name),
    )
    expect(shown).toEqual(names.reverse())
  })

  it('brings a limit down to 100', async () => {
    expect((await call('GET /beak/spaceducks?limit=100000')).status).toBe(200)
  })

  it('does not let the masked id out through the cursor', async () => {
    const { id } = await aDuckling()
    await aDuckling()
    const { body } = await call('GET /beak/spaceducks?limit=1')
    const { body: next } = await call(`GET /beak/spaceducks?limit=1&cursor=${body.next_cursor}`)
    expect(next.items[0].duckling_id).toBe(`DUCK-…${id.slice(-4)}`)
    for (const cursor of [body.next_cursor, next.next_cursor]) {
      const bytes = Buffer.from(cursor, 'base64url').toString('latin1')
      expect(bytes).not.toMatch(/DUCK|[0-9A-Z]{16}/)
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
    'cursor=',
    'cursor=AAAA',
    `cursor=${forged.next_cursor}`,
    'offset=1',
  ])('refuses ?%s', async (query) => {
    const { status, body } = await call(`GET /beak/spaceducks?${query}`)
    expect([status, body.code]).toEqual([400, 'E4000'])
  })
})

describe('401', () => {
  it('refuses an invalid token instead of ignoring it', async () => {
    const { token } = await aDuckling()
    await call('POST /beak/signout', { token })
    for (const bad of [token, 'nonsense']) {
      const { status, body } = await call('GET /beak/spaceducks', { token: bad })
      expect([status, body.code]).toEqual([401, 'E4006'])
    }
  })
})

describe('429', () => {
  it('counts against the address', async () => {
    const { headers } = await call('GET /beak/spaceducks?limit=1')
    expect(headers.get('ratelimit-policy')).toBe('"anonymous";q=120;w=60;burst=120')
  })
})
