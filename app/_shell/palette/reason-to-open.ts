import { m } from '@/lib/kernel/messages'
import type { PaletteRequest } from './entry'

/** Returns why a request cannot be approved together with others, or null. The service decides the same. */
export function reasonToOpen({
  risk,
  isFirstContact,
  isFreeText,
  costsRepeatedly,
  needsPasskey,
  operator,
}: Pick<
  PaletteRequest,
  'risk' | 'isFirstContact' | 'isFreeText' | 'costsRepeatedly' | 'needsPasskey' | 'operator'
>): string | null {
  if (risk === 'high') return m.palette_high_risk()
  if (isFirstContact)
    return operator === 'you' ? m.palette_your_agent_is_new() : m.palette_nothing_approved_yet()
  if (isFreeText) return m.palette_in_their_own_words()
  if (costsRepeatedly) return m.palette_costs_repeatedly()
  return needsPasskey ? m.palette_needs_your_passkey() : null
}
