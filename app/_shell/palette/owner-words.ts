import { isolated, personMark } from '@beak/decision/person-name'
import { m } from '@/lib/kernel/messages'
import type { PaletteRequest } from './entry'

/** Returns who stands behind an agent: "your agent", "an agent of Mallard". Null for a person. */
export function agentOf({ operator }: Pick<PaletteRequest, 'operator'>): string | null {
  if (operator === null) return null
  return operator === 'you' ? m.palette_your_agent() : m.palette_agent_of({ name: isolated(operator) })
}

/** Returns who stands behind a request: "your agent", "an agent of Mallard (@mallard)", or for a person only "@mallard". */
export function ownerWords(request: Pick<PaletteRequest, 'operator' | 'owner' | 'ownerId'>): string {
  const { operator, owner, ownerId } = request
  const mark = personMark(owner?.handle, ownerId)
  if (operator === null) return mark
  if (operator === 'you') return m.palette_your_agent()
  return m.palette_agent_of_mark({ name: isolated(operator), mark })
}
