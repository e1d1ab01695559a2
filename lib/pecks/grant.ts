/**
 * Grant tokens: what the asker shows to whoever guards the thing asked for. A token only points at its peck; whether the
 * permission still holds is the database's to say, each time.
 */
import { day, secondsAfter } from '@/lib/kernel/clock'
import { config } from '@/lib/kernel/config'
import { numericDate, signToken, verifySigned } from '@/lib/keys/tokens'
import type { PeckRow } from './rows'

/** Spec silent: the token of a permission without an end lives 30 days; every reading of the peck gives a new one. */
const standingSeconds = 30 * day

/** The grant as a JWT (`typ: peck+jwt`) for its asker. */
export function mintGrant(peck: PeckRow, now: Date): string {
  const until = peck.grantExpiresAt ?? secondsAfter(now, standingSeconds)
  return signToken('grant', {
    aud: config().baseUrl,
    sub: peck.askerId,
    jti: peck.id,
    iat: numericDate(now),
    // Rounded up: the database's instant is the one that counts.
    exp: Math.ceil(until.getTime() / 1000),
    peck_id: peck.id,
    target: peck.targetDucklingId,
    action: peck.action,
    scope: peck.scope,
    params_hash: peck.paramsHash,
  })
}

export interface ReadGrant {
  peckId: string
  /** Whether the token itself has run out. */
  isStale: boolean
}

/** What a grant token points at, or null when it is not one of ours. One that has run out is still read, to say what became of its grant. */
export async function readGrant(token: string, now: Date): Promise<ReadGrant | null> {
  const claims = await verifySigned('grant', token, config().baseUrl)
  if (claims === null || typeof claims.peck_id !== 'string' || typeof claims.exp !== 'number') return null
  return { peckId: claims.peck_id, isStale: claims.exp <= now.getTime() / 1000 }
}
