/** The requests from which a person can make a rule: what was approved before comes first, then what waits. */
import { testAction } from '@beak/decision/test-request'
import type { ShownPeck } from '../../pecks/_peck/reads'
import { partsOf } from './steps'

const shownMax = 4

/** Whether a rule could answer requests like this one at all. */
const mayHaveRule = ({ peck }: ShownPeck): boolean =>
  peck.requester.agent_id !== undefined &&
  peck.scope === 'limited' &&
  peck.action !== testAction &&
  peck.risk?.level !== 'high' &&
  peck.decided_by?.type !== 'rule' &&
  partsOf(peck) !== null

/**
 * Returns one request of each agent and action, the newest of them, at most four. Those of the viewer's own agents come before those of others,
 * and approved ones before waiting ones.
 */
export function exampleRequests(requests: ShownPeck[], viewerId: string): ShownPeck[] {
  const isOf = (status: string, isOwn: boolean) =>
    requests.filter(
      ({ peck }) => peck.status === status && (peck.requester.duckling_id === viewerId) === isOwn,
    )
  const inOrder = [...isOf('approved', true), ...isOf('pending', true), ...isOf('approved', false)].filter(
    mayHaveRule,
  )
  const newest = new Map<string, ShownPeck>()
  for (const request of inOrder) {
    const key = `${request.peck.requester.agent_id} ${request.peck.action}`
    if (!newest.has(key)) newest.set(key, request)
  }
  return [...newest.values()].slice(0, shownMax)
}
