/**
 * Links and search forms that load a new document: while the service is not reached, they would replace the page with an error page of the
 * browser. Browsers without the Navigation API do that.
 */
import { withoutBasePath } from '../base-path'
import { setPendingPage } from './pending-page'
import { reachNow } from './reach'

/** What this code reads of a `NavigateEvent`. TypeScript's library has it only for some targets. */
interface Leaving extends Event {
  navigationType: 'push' | 'replace' | 'reload' | 'traverse'
  hashChange: boolean
  formData: FormData | null
  destination: { url: string; sameDocument: boolean }
}

/** Keeps the page while the service is not reached, until the returned function is called. A reload stays possible. */
export function guardHardNavigation(): () => void {
  const navigation = 'navigation' in window ? (window.navigation as EventTarget) : null
  function onNavigate(event: Event) {
    const { navigationType, hashChange, formData, destination } = event as Leaving
    if (reachNow() === 'reached' || destination.sameDocument || hashChange || !event.cancelable) return
    const url = new URL(destination.url)
    if (!['push', 'replace'].includes(navigationType) || url.origin !== window.location.origin) return
    event.preventDefault()
    if (formData === null) setPendingPage(withoutBasePath(`${url.pathname}${url.search}`))
  }
  navigation?.addEventListener('navigate', onNavigate)
  return () => navigation?.removeEventListener('navigate', onNavigate)
}
