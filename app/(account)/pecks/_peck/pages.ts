import type { Peck } from './reads'

/** The pages that show pecks, for `formAction` to revalidate. */
export const pagesWithPecks = ['/pecks/*', '/home']

/** Returns the page that the name of an asker opens: the card, or for an agent of the viewer the page of the agent. Null for the viewer. */
export function askerPath(
  { agent_id, duckling_id }: Pick<Peck['requester'], 'agent_id' | 'duckling_id'>,
  viewerId: string,
): string | null {
  if (duckling_id !== viewerId) return `/pecks/askers/${agent_id ?? duckling_id}`
  return agent_id === undefined ? null : `/agents/manage/${agent_id}`
}
