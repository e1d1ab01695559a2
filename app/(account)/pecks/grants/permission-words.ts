/** Words for active permissions. */
import { m } from '@/lib/kernel/messages'
import type { Peck } from '../_peck/reads'

/** Returns how often a permission can still be used. */
export function extentWords({ uses, max_uses }: Pick<Peck, 'uses' | 'max_uses'>): string {
  if (max_uses === null) return m.permissions_any_number_of_uses()
  const left = max_uses - uses
  if (max_uses === 1) return m.permissions_once()
  return m.permissions_uses_left({ count: left })
}
