import { describe, expect, it } from 'vitest'
import type { ShownPeck } from '../../pecks/_peck/reads'
import { exampleRequests } from './examples'

let count = 0
const request = (changes: Record<string, unknown> = {}): ShownPeck =>
  ({
    peck: {
      peck_id: `PECK-${++count}`,
      action: 'pay:invoice',
      scope: 'limited',
      status: 'approved',
      params: { amount: '€38.00' },
      requester: { duckling_id: 'DUCK-me', agent_id: 'AGT-1' },
      risk: { level: 'medium', reasons: [] },
      ...changes,
    },
  }) as unknown as ShownPeck
const ids = (requests: ShownPeck[]) => exampleRequests(requests, 'DUCK-me').map(({ peck }) => peck.peck_id)

describe('exampleRequests', () => {
  it('has the newest request of each agent and action, own and approved ones first', () => {
    const stranger = request({ requester: { duckling_id: 'DUCK-other', agent_id: 'AGT-2' } })
    const waiting = request({ status: 'pending', action: 'send:email' })
    const [newer, older] = [request(), request()]
    expect(ids([stranger, waiting, newer, older])).toEqual(
      [newer, waiting, stranger].map(({ peck }) => peck.peck_id),
    )
  })

  it.each([
    ['a request of a person', { requester: { duckling_id: 'DUCK-other' } }],
    [
      'a waiting request of an agent of somebody else',
      { status: 'pending', requester: { duckling_id: 'DUCK-other', agent_id: 'AGT-2' } },
    ],
    ['a request for more than one use', { scope: 'standing' }],
    ['a high risk, which no rule answers', { risk: { level: 'high', reasons: [] } }],
    ['what a rule has answered', { decided_by: { type: 'rule', rule_id: 'RULE-1' } }],
    ['a secret', { params: { password: 'hunter2hunter2' } }],
    ['what was rejected', { status: 'rejected' }],
  ])('leaves out %s', (_, changes) => {
    expect(ids([request(changes)])).toEqual([])
  })
})
