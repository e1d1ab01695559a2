/** How many statements the requests of a peck send, with authentication, BEGIN and COMMIT. */
import { expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { anAgent } from '@/lib/factories/agents'
import { aDuckling } from '@/lib/factories/ducklings'
import { statementsOf } from '@/lib/fixtures/statements'

it('asks for the first time with 9 statements, approves with 8, reads with 2 and uses the permission with 6', async () => {
  const [owner, target] = [await aDuckling(), await aDuckling()]
  const { beakKey: key } = await anAgent(owner)
  const counts: number[] = []
  const counted = async (...request: Parameters<typeof call>) => {
    const answers: Awaited<ReturnType<typeof call>>[] = []
    const statements = await statementsOf(async () => void answers.push(await call(...request)))
    // The wake-up of other instances is sent later, and for many transactions together.
    counts.push(statements.filter((text) => !text.includes('pg_notify')).length)
    expect(answers[0]?.status).toBe(200)
    return answers[0]?.body
  }
  const body = { target_duckling_id: target.id, action: 'send:mail', scope: 'limited' }
  const { peck_id } = await counted('POST /beak/peck/request', { key, body })
  await counted('POST /beak/peck/approve', { token: target.token, body: { peck_id } })
  const { grant_token } = await counted(`GET /beak/peck/status?peck_id=${peck_id}`, { key })
  await counted('POST /beak/peck/consume', { body: { grant_token } })
  expect(counts).toEqual([9, 8, 2, 6])
})
