/** The filters of the lists of pecks. They stand in the address, so that Back, links and pages keep them. */

import { isolated, personMark } from '@beak/decision/person-name'
import { quotable, quotedName } from '@beak/decision/quote'
import { read } from '@/app/_web/page-read'
import { m } from '@/lib/kernel/messages'
import { verbObject } from '@/lib/kernel/request/fields'
import { idSchema } from '@/lib/kernel/secrets/ids'
import type { Peck } from '../_peck/reads'
import { grantBadges, statusLabels } from '../_peck/words'

type GrantStatus = NonNullable<Peck['grant_status']>

export interface PeckFilter {
  /** Id of the agent, or of the person, that asked. */
  asker: string | undefined
  action: string | undefined
  status: EndedStatus | undefined
  grant_status: GrantStatus | undefined
  direction: 'received' | 'sent' | undefined
}

type EndedStatus = Exclude<Peck['status'], 'pending'>

/** The statuses of the history. What waits is in the inbox or among the sent requests. */
export const statuses = (Object.keys(statusLabels) as Peck['status'][]).filter(
  (status): status is EndedStatus => status !== 'pending',
)
export const grantStatuses = Object.keys(grantBadges) as GrantStatus[]
const directions = ['received', 'sent'] as const
const asker = idSchema('agent').or(idSchema('duckling'))

/** Returns the value if it is one of the allowed values. An unknown value in the address means no filter. */
function oneOf<T extends string>(values: readonly T[], given: unknown): T | undefined {
  return values.find((value) => value === given)
}

/** Returns the filter in an address, without values that the API would refuse. */
export function filterIn(given: Record<string, string | string[] | undefined>): PeckFilter {
  return {
    asker: asker.safeParse(given.asker).data,
    action: verbObject.safeParse(given.action).data,
    status: oneOf(statuses, given.status),
    grant_status: oneOf(grantStatuses, given.grant_status),
    direction: oneOf(directions, given.direction),
  }
}

/** Returns the address of a list with a filter. */
export function filteredPath(path: string, filter: Partial<PeckFilter>): string {
  const query = Object.entries(filter).filter(([, value]) => value !== undefined)
  return query.length === 0 ? path : `${path}?${new URLSearchParams(query)}`
}

/** Whom a list can be filtered by. */

interface Choice {
  value: string
  label: string
}

export interface AskerChoices {
  /** Those who asked the viewer. */
  others: Choice[]
  /** The agents of the viewer, also deregistered ones. */
  own: Choice[]
  actions: string[]
}

/** Returns those who asked the viewer and what they asked for, and with `withOwn` also the viewer's agents. Throws `PageProblem`. */
export async function readAskerChoices(withOwn: boolean): Promise<AskerChoices> {
  const [{ items: askers }, own] = await Promise.all([
    read('GET /beak/peck/askers'),
    withOwn ? read('GET /beak/agent/list', { query: { limit: '100', include: 'deregistered' } }) : null,
  ])
  const agents = own?.items ?? []
  const ownIds = new Set(agents.map(({ agent_id }) => agent_id))
  return {
    others: askers
      .filter(({ asker }) => !ownIds.has(asker))
      .map(({ asker, name, operator_name: operator, duckling_id, handle }) => {
        const person = `${isolated(operator ?? name)} (${personMark(handle, duckling_id)})`
        return {
          value: asker,
          label:
            operator === undefined ? person : m.requests_agent_of_person({ name: quotable(name), person }),
        }
      }),
    own: agents.map(({ agent_id, agent_name }) => ({ value: agent_id, label: quotedName(agent_name) })),
    actions: [...new Set(askers.flatMap(({ actions }) => actions.map(({ action }) => action)))].sort(),
  }
}
