/** What the pages of the reference and their Markdown versions say about an operation. */
import type { ListedOperation } from './reference'
import type { Schema } from './schema'

/** Returns who may call an operation, as the end of a sentence. */
export function callers(security: Record<string, unknown>[]): string {
  const has = (name: string) => security.some((way) => name in way)
  if (security.length === 0) return 'anyone, without a credential.'
  if (security.some((way) => Object.keys(way).length === 0))
    return 'anyone. With a session token, the response contains more.'
  if (has('session'))
    return has('beakKey')
      ? 'a signed-in duckling with its session token, or a bonded agent with its beak key.'
      : 'a signed-in duckling, with its session token. Agents are rejected.'
  return 'an agent, with its beak key.'
}

/** Returns the media type and the schema of the response with status 200. */
export function responseOf({ operation }: ListedOperation): { media: string; schema: Schema } {
  const [[media, { schema }] = ['application/json', { schema: {} }]] = Object.entries(
    operation.responses['200']?.content ?? {},
  )
  return { media, schema }
}
