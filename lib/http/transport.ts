import { config } from '@/lib/kernel/config'

/** What keeps browsers on https from then on, in answers of the API and of the pages: only where `BASE_URL` is https itself. */
export function transportHeaders(): Record<string, string> {
  return config().baseUrl.startsWith('https:')
    ? { 'Strict-Transport-Security': 'max-age=63072000; includeSubDomains' }
    : {}
}
