import { beforeEach, describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { usesKept } from '@/lib/domain/pecks/grant/spend'
import { anAgent } from '@/lib/factories/agents'
import { type ADuckling, aDuckling } from '@/lib/factories/ducklings'
import { anApprovedPeck } from '@/lib/factories/pecks'
import { config } from '@/lib/kernel/config'

let operator: ADuckling
let target: ADuckling
beforeEach(async () => {
  operator = await aDuckling()
  target = await aDuckling()
})

const usesOf = ({ token }: ADuckling, id: string, query = '') =>
  call(`GET /beak/peck/uses?peck_id=${id}${query}`, { token })
const consume = (grant_token: string, audience?: string) =>
  call('POST /beak/peck/consume', { body: { grant_token, ...(audience ? { audience } : {}) } })
const numbersIn = ({ body }: Awaited<ReturnType<typeof usesOf>>) =>
  body.items.map(({ number }: { number: number }) => number)

describe('200', () => {
  it('lists the uses of a permission with the host name that the service gave, newest first', async () => {
    const { peck_id, grant_token } = await anApprovedPeck(operator, target, { scope: 'timed' })
    await consume(grant_token)
    await consume(grant_token, 'shop.example')
    const items = [
      { number: 2, used_at: expect.any(String), audience: 'shop.example' },
      { number: 1, used_at: expect.any(String), audience: null },
    ]
    for (const side of [target, operator])
      expect((await usesOf(side, peck_id)).body).toEqual({ items, next_cursor: null })
    const details = await call(`GET /beak/peck/details?peck_ids=${peck_id}`, { token: target.token })
    expect(details.body.items[0].last_uses).toEqual(items)
  })

  it('shows this service as the place where a profile was read', async () => {
    const { peck_id, grant_token } = await anApprovedPeck(operator, target)
    await call('GET /beak/profile', { token: operator.token, headers: { 'x-peck-grant': grant_token } })
    const host = new URL(config().baseUrl).hostname
    expect((await usesOf(target, peck_id)).body.items).toMatchObject([{ number: 1, audience: host }])
  })

  it('gives pages, and starts again at a cursor that somebody made up', async () => {
    const { peck_id, grant_token } = await anApprovedPeck(operator, target, { scope: 'timed' })
    for (let use = 0; use < 3; use++) await consume(grant_token)
    const first = await usesOf(target, peck_id, '&limit=2')
    expect(numbersIn(first)).toEqual([3, 2])
    expect(numbersIn(await usesOf(target, peck_id, `&limit=2&cursor=${first.body.next_cursor}`))).toEqual([1])
    for (const key of ['kABC', 'k99999999999999999999', 'k-1'])
      expect(
        (await usesOf(target, peck_id, `&cursor=${Buffer.from(key).toString('base64url')}`)).status,
      ).toBe(200)
  })

  it('keeps the newest 100 uses', async () => {
    const { peck_id, grant_token } = await anApprovedPeck(operator, target, { scope: 'timed' })
    await db().run`
      INSERT INTO "PeckUse" ("peckId", "number", "usedAt") SELECT ${peck_id}, n, now() FROM generate_series(1, ${usesKept}) n`
    await db().peck.update({ where: { id: peck_id }, data: { uses: usesKept } })
    await consume(grant_token)
    const rows = await db().peckUse.findMany({ where: { peckId: peck_id }, orderBy: { number: 'asc' } })
    expect(rows).toHaveLength(usesKept)
    expect([rows[0]?.number, rows.at(-1)?.number]).toEqual([2, usesKept + 1])
  })

  it('counts 50 simultaneous uses once each', async () => {
    const { peck_id, grant_token } = await anApprovedPeck(operator, target, { scope: 'timed' })
    await Promise.all(Array.from({ length: 50 }, () => consume(grant_token)))
    const listed = numbersIn(await usesOf(target, peck_id, '&limit=100'))
    expect(listed).toEqual(Array.from({ length: 50 }, (_, index) => 50 - index))
  })

  it('has no use that was refused', async () => {
    const { peck_id, grant_token } = await anApprovedPeck(operator, target)
    const body = { grant_token, params: { other: true } }
    expect((await call('POST /beak/peck/consume', { body })).status).toBe(403)
    expect((await usesOf(target, peck_id)).body.items).toEqual([])
  })

  it('exports the uses, and forgets them when the account is closed', async () => {
    const { peck_id, grant_token } = await anApprovedPeck(operator, target)
    await consume(grant_token, 'shop.example')
    const { body } = await call('GET /beak/account/export', { token: target.token })
    expect(body.pecks.uses).toMatchObject([{ peck_id, number: 1, audience: 'shop.example' }])
    await call('POST /beak/account/delete', { token: target.token })
    expect(await db().peckUse.count({ where: { peckId: peck_id } })).toBe(0)
  })
})

describe('401, 403 and 404', () => {
  it('shows a stranger the same as for an unknown request', async () => {
    const { peck_id, grant_token } = await anApprovedPeck(operator, target)
    await consume(grant_token, 'shop.example')
    const stranger = await aDuckling()
    const unknown = await usesOf(stranger, peck_id.replace(/.{8}$/, '00000000'))
    expect(await usesOf(stranger, peck_id)).toMatchObject({ status: 404, body: { code: unknown.body.code } })
    expect((await call(`GET /beak/peck/uses?peck_id=${peck_id}`)).status).toBe(401)
  })

  it('shows an agent only what it asked for itself', async () => {
    const [agent, sister] = [await anAgent(operator), await anAgent(operator)]
    const { peck_id } = await anApprovedPeck(agent, target)
    const seen = (key: string) => call(`GET /beak/peck/uses?peck_id=${peck_id}`, { key })
    expect((await seen(agent.beakKey)).status).toBe(200)
    expect((await seen(sister.beakKey)).status).toBe(404)
  })
})
