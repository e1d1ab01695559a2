import { beforeEach, describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { blockDuckling, unblockDuckling } from '@/lib/domain/pecks/blocks/block'
import { type ADuckling, aDuckling } from '@/lib/factories/ducklings'

let owner: ADuckling
beforeEach(async () => {
  owner = await aDuckling()
})

const list = (query = '', who: { token: string } | { key: string } = owner) =>
  call(`GET /beak/peck/blocks${query}`, who)

async function blocked(count: number): Promise<string[]> {
  const ids: string[] = []
  for (let index = 0; index < count; index++) {
    const { id } = await aDuckling()
    await blockDuckling(await owner.context(), id)
    ids.unshift(id)
  }
  return ids
}

const idsOf = ({ body }: Awaited<ReturnType<typeof list>>) =>
  body.items.map((item: { duckling_id: string }) => item.duckling_id)

describe('GET /beak/peck/blocks: 200', () => {
  // security: asker-12
  it('has the handle of a blocked person only while the directory lists the person', async () => {
    const [id = ''] = await blocked(1)
    const handle = `teal${id.slice(-8).toLowerCase()}`
    await db().duckling.update({ where: { id }, data: { handle, fullName: 'Anna Weber' } })
    expect((await list()).body.items).toMatchObject([{ full_name: 'Anna Weber', handle }])
    await db().duckling.update({ where: { id }, data: { listed: false } })
    expect((await list()).body.items[0]).not.toHaveProperty('handle')
  })

  it('lists the ducklings that the caller has blocked, newest first, with name and tier', async () => {
    const ids = await blocked(2)
    await blockDuckling(await (await aDuckling()).context(), owner.id)
    const answer = await list()
    expect(answer.status).toBe(200)
    expect(idsOf(answer)).toEqual(ids)
    expect(answer.body.items[0]).toEqual({
      duckling_id: ids[0],
      display_name: expect.any(String),
      trust_tier: 'T1',
      blocked_at: expect.stringMatching(/Z$/),
    })
    expect(answer.body.next_cursor).toBeNull()
  })

  it('does not list an unblocked duckling', async () => {
    const [first = '', second] = await blocked(2)
    await unblockDuckling(await owner.context(), first)
    expect(idsOf(await list())).toEqual([second])
  })

  it('pages without gaps or duplicates, also through blocks of the same millisecond', async () => {
    const ids = await blocked(5)
    const createdAt = new Date('2027-01-02T03:04:05.678Z')
    await db().peckBlock.updateMany({ where: { ducklingId: owner.id }, data: { createdAt } })
    const seen: string[] = []
    let cursor = ''
    do {
      const page = await list(`?limit=2${cursor}`)
      seen.push(...idsOf(page))
      cursor = page.body.next_cursor === null ? '' : `&cursor=${page.body.next_cursor}`
    } while (cursor !== '')
    expect(seen).toEqual(ids.sort().reverse())
  })
})

describe('400', () => {
  it.each(['?limit=0', '?cursor=x', `?cursor=${Buffer.from('kPECK-1').toString('base64url')}`, '?who=me'])(
    'rejects %s',
    async (query) => {
      expect(await list(query)).toMatchObject({ status: 400, body: { code: 'E4000' } })
    },
  )
})
