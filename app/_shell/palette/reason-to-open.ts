import type { PaletteRequest } from './entry'

/** Returns why a request cannot be approved together with others, or null. The service decides the same. */
export function reasonToOpen({
  risk,
  isFirstContact,
  needsPasskey,
}: Pick<PaletteRequest, 'risk' | 'isFirstContact' | 'needsPasskey'>): string | null {
  if (risk === 'high') return 'High risk'
  if (isFirstContact) return 'First request of this asker'
  return needsPasskey ? 'Needs your passkey' : null
}
