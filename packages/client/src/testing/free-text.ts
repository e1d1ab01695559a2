/** What a request in free text may have. The service also checks the form of each value. */
import { freeTextParam, isFreeText } from '@beak/decision/free-text'
import * as z from 'zod'

interface Body {
  action: string
  scope: string
  params: Record<string, unknown>
  grant_expires_in?: unknown
  audience?: unknown
}

const words = z.string().min(1).max(280)
const names: ReadonlySet<string> = new Set([freeTextParam, 'date', 'amount', 'currency', 'place', 'file'])

/** Adds the faults of a request in free text, which has words and no terms of a permission. */
export function requireFreeText(body: Body, context: z.core.$RefinementCtx<Body>): void {
  const { action, scope, params } = body
  if (!isFreeText(action)) return
  const isKnown = Object.keys(params).every((name) => names.has(name))
  const wrong = [
    ...(scope === 'limited' ? [] : ['scope']),
    ...(['grant_expires_in', 'audience'] as const).filter((name) => body[name] !== undefined),
    ...(isKnown && words.safeParse(params[freeTextParam]).success ? [] : ['params']),
  ]
  for (const field of wrong)
    context.addIssue({ code: 'custom', path: [field], message: 'is wrong for a request in free text' })
}
