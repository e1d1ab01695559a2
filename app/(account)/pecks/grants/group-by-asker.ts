import type { ShownPeck } from '../_peck/reads'

export interface PermissionsOfAsker {
  /** Id of the agent, or of the person. */
  asker: string
  /** At least one. */
  items: [ShownPeck, ...ShownPeck[]]
}

/** Returns the permissions by asker. The asker with the newest permission comes first. */
export function groupByAsker(items: ShownPeck[]): PermissionsOfAsker[] {
  const groups = new Map<string, PermissionsOfAsker>()
  for (const item of items) {
    const { agent_id, duckling_id } = item.peck.requester
    const asker = agent_id ?? duckling_id
    const group = groups.get(asker)
    if (group) group.items.push(item)
    else groups.set(asker, { asker, items: [item] })
  }
  return [...groups.values()]
}
