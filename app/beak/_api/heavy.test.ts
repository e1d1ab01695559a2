/** Calls that cause much work let others be answered meanwhile. Counts slices and not time. */
import { describe, expect, it } from 'vitest'
import { aHeavyInbox, heavyParams, heavyRule } from '@/lib/fixtures/heavy-pecks'
import { countSlices, sliceWeight } from '@/lib/kernel/runtime/slices'
import { call } from './call'

const bytes = JSON.stringify(heavyParams).length

/** Returns how many slices a call waited for. */
async function slicesOf(line: string, token: string, body?: object): Promise<number> {
  const before = countSlices()
  const { status, body: answer } = await call(line, { token, ...(body && { body }) })
  expect([status, answer.errors]).toEqual([200, undefined])
  return countSlices() - before
}

describe('a call over 40 heavy pecks works in slices', () => {
  // How heavy the work on a peck is, as a share of what its params weigh, and how many lists are worked on.
  it.each([
    ['GET /beak/peck/inbox?limit=1000', 1, 1],
    ['GET /beak/peck/inbox?limit=1&q=nothing', 1 / 8, 1],
    ['GET /beak/peck/details', 1, 3],
    ['POST /beak/rule/rehearse', 1 / 2, 1],
    ['POST /beak/peck/decide', 2, 1],
    ['GET /beak/account/export', 1, 1],
  ])('%s', async (line, share, lists) => {
    const { target, agent, ids } = await aHeavyInbox(40)
    const rule = heavyRule(agent.agentId)
    const query = line.endsWith('details') ? `?peck_ids=${ids.join()}` : ''
    const bodies: Record<string, object> = {
      'POST /beak/rule/rehearse': { rule },
      'POST /beak/peck/decide': { decision: 'reject', peck_ids: ids, reason: 'Not today' },
    }
    const count = await slicesOf(`${line}${query}`, target.token, bodies[line])
    // The first slice begins at once, and a slice has at least one peck.
    const least = lists * Math.min(39, (39 * bytes * share) / sliceWeight)
    expect(count).toBeGreaterThanOrEqual(Math.floor(least))
  })

  // security: stranger-13
  it('and does not compute again what it computed for the same pecks', async () => {
    const { target, ids } = await aHeavyInbox(40)
    for (const line of ['GET /beak/peck/inbox?limit=1000', `GET /beak/peck/details?peck_ids=${ids.join()}`]) {
      const first = await slicesOf(line, target.token)
      expect(await slicesOf(line, target.token)).toBeLessThan(first / 8)
    }
  })

  it('and shows the same when it computes and when it does not', async () => {
    const { target, ids } = await aHeavyInbox(3)
    for (const line of ['GET /beak/peck/inbox', `GET /beak/peck/details?peck_ids=${ids.join()}`]) {
      const [first, second] = [
        await call(line, { token: target.token }),
        await call(line, { token: target.token }),
      ]
      expect(second.body).toEqual(first.body)
    }
  })
})

// security: stranger-13
it('keeps two heavy calls of an account running, lets some wait, refuses the others, and answers everybody else', async () => {
  const { target, ids } = await aHeavyInbox(100)
  const { target: other } = await aHeavyInbox(1)
  const line = `GET /beak/peck/details?peck_ids=${ids.join()}`
  const heavy = Array.from({ length: 12 }, () => call(line, { token: target.token }))
  expect((await call('GET /beak/profile', { token: other.token })).status).toBe(200)
  const statuses = (await Promise.all(heavy)).map(({ status }) => status)
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(2)
  expect(new Set(statuses)).toEqual(new Set([200, 429]))
})
