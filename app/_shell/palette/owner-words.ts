import { isolated, personMark } from '@/lib/kernel/text/person-name'
import type { PaletteRequest } from './entry'

/** Returns who stands behind an agent: "your agent", "an agent of Mallard". Null for a person. */
export function agentOf({ operator }: Pick<PaletteRequest, 'operator'>): string | null {
  if (operator === null) return null
  return operator === 'you' ? 'your agent' : `an agent of ${isolated(operator)}`
}

/** Returns who stands behind a request: "your agent", "an agent of Mallard (@mallard)", or for a person only "@mallard". */
export function ownerWords(request: Pick<PaletteRequest, 'operator' | 'owner' | 'ownerId'>): string {
  const { operator, owner, ownerId } = request
  const mark = personMark(owner?.handle, ownerId)
  const agent = agentOf(request)
  if (agent === null) return mark
  return operator === 'you' ? agent : `${agent} (${mark})`
}
