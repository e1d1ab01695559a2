/** Tells clients that they use something that will go away (docs/versioning.md). */
import { config } from '@/lib/kernel/config'
import type { Answer } from './call'

export interface Deprecation {
  /** The day since which it is deprecated, as `2026-11-22`. */
  since: string
  /** The day from which it may be gone; docs/versioning.md says how long after the announcement. */
  sunset?: string
  /** What to use instead, as a path of the documentation. */
  see: string
}

/** The key of an agent as a query parameter. The specification keeps it, so it has no end. */
export const queryKey: Deprecation = { since: '2025-11-20', see: '/docs/errors#E4001' }

/** Adds `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and a link to what to use instead. */
export function announce({ since, sunset, see }: Deprecation, headers: Answer['headers']): void {
  headers.Deprecation = `@${Date.parse(since) / 1000}`
  if (sunset !== undefined) headers.Sunset = new Date(sunset).toUTCString()
  headers.Link = `<${config().baseUrl}${see}>; rel="deprecation"; type="text/html"`
}
