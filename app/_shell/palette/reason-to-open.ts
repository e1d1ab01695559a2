import { m } from '@/lib/kernel/messages'
import type { PaletteRequest } from './entry'

/** Returns why a request cannot be approved together with others, or null. The service decides the same. */
export function reasonToOpen({
  risk,
  isFirstContact,
  needsPasskey,
}: Pick<PaletteRequest, 'risk' | 'isFirstContact' | 'needsPasskey'>): string | null {
  if (risk === 'high') return m.palette_high_risk()
  if (isFirstContact) return m.palette_first_request_of_this_asker()
  return needsPasskey ? m.palette_needs_your_passkey() : null
}
