/** Whom a list can be filtered by. */

import { read } from '@/app/_web/read'
import { m } from '@/lib/kernel/messages'
import { isolated, personMark } from '@/lib/kernel/text/person-name'
import { quotable } from '@/lib/kernel/text/quote'

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
    own: agents.map(({ agent_id, agent_name }) => ({ value: agent_id, label: `“${quotable(agent_name)}”` })),
    actions: [...new Set(askers.flatMap(({ actions }) => actions.map(({ action }) => action)))].sort(),
  }
}
