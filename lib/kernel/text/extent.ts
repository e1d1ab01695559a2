/** How often and how long an approval allows an action, for the sentences about requests, which have a variant for each of them. */
import { extentOf } from '@beak/decision/asked'
import { durationWords } from './duration-words'

export interface ShownExtent {
  extent: ReturnType<typeof extentOf>['extent']
  /** "24 hours". Empty without an end. */
  lifetime: string
}

/** Returns the extent of a request, for the values of a sentence. */
export function shownExtent({ action, scope, grantSeconds }: Parameters<typeof extentOf>[0]): ShownExtent {
  const { extent, seconds } = extentOf({ action, scope, grantSeconds })
  return { extent, lifetime: seconds === null ? '' : durationWords(seconds) }
}
