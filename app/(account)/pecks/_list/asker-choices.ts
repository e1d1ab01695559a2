/** Whom a list can be filtered by. */
import { read } from '@/app/_web/read'
import { quotable } from '@/lib/kernel/text/quote'
import { visible } from '@/lib/kernel/text/visible'

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
      .map(({ asker, name, operator_name: operator }) => ({
        value: asker,
        label:
          operator === undefined ? visible(name) : `“${quotable(name)}”, an agent of ${visible(operator)}`,
      })),
    own: agents.map(({ agent_id, agent_name }) => ({ value: agent_id, label: `“${quotable(agent_name)}”` })),
    actions: [...new Set(askers.flatMap(({ actions }) => actions.map(({ action }) => action)))].sort(),
  }
}
