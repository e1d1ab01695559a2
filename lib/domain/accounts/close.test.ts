import { describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { anAgent } from '@/lib/factories/agents'
import { aDuckling } from '@/lib/factories/ducklings'
import { anApprovedPeck, aPeck } from '@/lib/factories/pecks'
import { aFullAccount } from '@/lib/fixtures/accounts'
import { closeAccount } from './close'

describe('GET /beak/account/delete/preview', () => {
  it('counts exactly what closing the account then ends', async () => {
    const { owner, other } = await aFullAccount()
    const waiting = await aPeck(other, owner, { action: 'read:second' })
    await db().peck.update({ where: { id: waiting.peck_id }, data: { stranger: true } })
    const { status, body: before } = await call('GET /beak/account/delete/preview', { token: owner.token })
    expect(status).toBe(200)
    const { touched } = await closeAccount(await owner.context())
    const after = Object.fromEntries(Object.entries(touched).map(([name, ids]) => [name, ids.length]))
    expect(before).toEqual(after)
    expect(Object.values(before).every((count) => Number(count) > 0)).toBe(true)
  })

  it('returns 200 for more permissions than that', async () => {
    const [owner, asker] = [await aDuckling(), await aDuckling()]
    const { peck_id } = await anApprovedPeck(asker, owner)
    await db().run`
      INSERT INTO "Peck" SELECT copy.* FROM "Peck" p, generate_series(1, 200) n,
        LATERAL jsonb_populate_record(p, jsonb_build_object('id', p."id" || n)) copy WHERE p."id" = ${peck_id}`
    for (const { token } of [owner, asker]) {
      const { body } = await call('GET /beak/account/delete/preview', { token })
      expect(body.grants_revoked).toBe(200)
    }
  })

  it('counts a request of an own agent once', async () => {
    const owner = await aDuckling()
    await aPeck(await anAgent(owner), owner)
    const { body } = await call('GET /beak/account/delete/preview', { token: owner.token })
    expect(body.pecks_cancelled).toBe(1)
  })

  it('counts only the session of a new account', async () => {
    const { token } = await aDuckling({ tier: 'T0' })
    const { body } = await call('GET /beak/account/delete/preview', { token })
    const { sessions, ...others } = body
    expect(sessions).toBe(1)
    expect(Object.values(others).every((count) => count === 0)).toBe(true)
  })
})
