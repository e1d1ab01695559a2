/** Calls pay for their work: more tokens than one, and a place for what is heavy (contract A, Limits). */

import { limitKey } from './address'
import type { CallContext } from './call'
import type { Definition } from './definition'
import { inPlace } from './places'

/** From so many tokens on, about 50 ms of CPU, a call is heavy. */
const heavyTokens = 10

/** Takes the tokens of a call before the handler runs, and not again when an answer is replayed. */
export function withCost(definition: Definition): Definition {
  const { cost } = definition
  if (cost === undefined) return definition
  return {
    ...definition,
    handle: async (context, input) => {
      const { takeTokens, caller, ip } = context as unknown as CallContext
      const tokens = Math.max(1, Math.ceil(cost(input)))
      if (tokens > 1) await takeTokens?.(tokens - 1)
      if (tokens < heavyTokens) return definition.handle(context, input)
      return inPlace(caller?.id ?? limitKey(ip), () => definition.handle(context, input))
    },
  }
}
