import { describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { aDuckling } from '@/lib/factories/ducklings'
import { aPasskey } from '@/lib/factories/passkeys'
import { aPeck } from '@/lib/factories/pecks'
import { anotherSession } from '@/lib/fixtures/accounts'

const overviewOf = async (token: string) => (await call('GET /beak/profile/overview', { token })).body

describe('200', () => {
  it('returns the same profile as GET /beak/profile, and nothing that waits for a new account', async () => {
    const { token } = await aDuckling()
    const { body: profile } = await call('GET /beak/profile', { token })
    expect(await overviewOf(token)).toEqual({
      profile,
      pending_pecks: 0,
      passkeys: 0,
      recovery: null,
      email_undo: null,
    })
  })

  it("counts the caller's passkeys and the pecks that the caller can still answer", async () => {
    const [owner, asker] = [await aDuckling(), await aDuckling()]
    await aPasskey(owner)
    await aPasskey(asker)
    const first = await aPeck(asker, owner, { action: 'send:mail' })
    await aPeck(asker, owner, { action: 'book:table' })
    expect(await overviewOf(owner.token)).toMatchObject({ pending_pecks: 2, passkeys: 1 })
    const reject = { peck_id: first.peck_id, reason: 'no' }
    expect(await call('POST /beak/peck/reject', { token: owner.token, body: reject })).toMatchObject({
      status: 200,
    })
    expect(await overviewOf(owner.token)).toMatchObject({ pending_pecks: 1 })
    expect(await overviewOf(asker.token)).toMatchObject({ pending_pecks: 0 })
  })

  it('counts up to 1,000 pecks, from an index alone', async () => {
    const [owner, asker] = [await aDuckling(), await aDuckling()]
    await db().run`
      INSERT INTO "Peck" ("id", "requesterDucklingId", "askerId", "targetDucklingId", "action", "scope", "params", "paramsHash", "status",
        "createdAt", "expiresAt")
      SELECT 'PECK-' || lpad(n::text, 26, '0'), ${asker.id}, ${asker.id}, ${owner.id}, 'a:b', 'limited', '{}', '', 'pending',
        now(), now() + interval '1 day'
      FROM generate_series(1, 1001) AS n`
    expect(await overviewOf(owner.token)).toMatchObject({ pending_pecks: 1000 })
    await db().run`VACUUM ANALYZE "Peck"`
    const plan = await db().rows<{ 'QUERY PLAN': string }>`
      EXPLAIN SELECT 1 FROM "Peck" WHERE "targetDucklingId" = ${owner.id} AND NOT "blocked" AND "status" = 'pending'
        AND "expiresAt" > now() LIMIT 1000`
    expect(plan.map((row) => row['QUERY PLAN']).join('\n')).toContain(
      'Index Only Scan using "Peck_waiting_idx"',
    )
    await db().run`DELETE FROM "Peck" WHERE "targetDucklingId" = ${owner.id}`
  })

  it('shows a pending removal of all passkeys as GET /beak/passkey/list does', async () => {
    const owner = await aDuckling()
    await aPasskey(owner)
    const token = await anotherSession(owner)
    await call('POST /beak/passkey/recover', { token })
    const { body: list } = await call('GET /beak/passkey/list', { token })
    expect(list.recovery).not.toBeNull()
    expect((await overviewOf(token)).recovery).toEqual(list.recovery)
  })
})
