import { describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { aDuckling } from '@/lib/factories/ducklings'
import { systemContext } from '@/lib/kernel/request/context'
import { readClock } from '@/lib/kernel/runtime/clock'
import { setLimit } from './create-by-host'

const policyOf = async (token: string) =>
  (await call('GET /beak/profile', { token })).headers.get('ratelimit-policy')

describe('setLimit', () => {
  it('sets the limit from the next request on, and restores the configured one with null', async () => {
    const { id, token } = await aDuckling()
    const configured = await policyOf(token)
    await setLimit(systemContext(readClock()), id, { perMinute: 6000, burst: 2 })
    expect(await policyOf(token)).toBe('"authenticated";q=6000;w=60;burst=2')
    const answers = await Promise.all(Array.from({ length: 20 }, () => call('GET /beak/profile', { token })))
    expect(answers.some(({ status }) => status === 429)).toBe(true)
    await setLimit(systemContext(readClock()), id, null)
    expect(await policyOf(token)).toBe(configured)
    const event = await db().auditEvent.findFirst({ where: { ducklingId: id }, orderBy: { seq: 'desc' } })
    expect(event).toMatchObject({ action: 'duckling.updated', actorType: 'system' })
  })

  it('rejects an unknown and a closed account', async () => {
    const { id } = await aDuckling()
    await db().duckling.update({ where: { id }, data: { deletedAt: readClock() } })
    for (const unknown of [id, 'DUCK-01JD0000000000000000000000'])
      await expect(setLimit(systemContext(readClock()), unknown, null)).rejects.toMatchObject({
        failure: 'duckling_not_found',
      })
  })
})
