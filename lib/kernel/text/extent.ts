/** How often and how long an approval allows an action, for the sentences about requests, which have a variant for each of them. */
import { isTestRequest } from '../test-request'
import { durationWords } from './duration-words'

export interface Extent {
  extent: 'once' | 'timed' | 'standing' | 'test'
  /** "24 hours". Empty without an end. */
  lifetime: string
}

interface Asked {
  action: string
  scope: string
  /** Null: until it is revoked. */
  grantSeconds: number | null
}

/** Returns the extent of a request, for the values of a sentence. */
export function extentOf({ action, scope, grantSeconds }: Asked): Extent {
  const lifetime = grantSeconds === null ? '' : durationWords(grantSeconds)
  if (isTestRequest({ action })) return { extent: 'test', lifetime }
  if (grantSeconds === null) return { extent: 'standing', lifetime }
  return { extent: scope === 'limited' ? 'once' : 'timed', lifetime }
}
