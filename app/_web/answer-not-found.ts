import { notFound } from 'next/navigation'
import { answerWith } from '@/lib/http/page-status'

/**
 * Sets status 404 for a page that renders its own "not found" text, so that browsers without scripts show it, too. When the response
 * is not available (`next start`), throws Next's `notFound()`, which renders the nearest `not-found` in the browser.
 */
export function answerNotFound(): void {
  if (!answerWith(404)) notFound()
}
