import { notFound } from 'next/navigation'
import { answerWith } from '@/lib/http/page-status'

/**
 * For pages that find nothing: gives the answer status 404, and the page then shows what to say about it, also to those without
 * scripts. Where the answer is not at hand it throws to Next's own way, which draws the nearest `not-found` in the browser.
 */
export function answerNotFound(): void {
  if (!answerWith(404)) notFound()
}
