import { config } from '@/lib/kernel/config'

/** Returns the header that makes browsers use https from now on. Empty when `BASE_URL` is not https. For the API and the pages. */
export function transportHeaders(): Record<string, string> {
  return config().baseUrl.startsWith('https:')
    ? { 'Strict-Transport-Security': 'max-age=63072000; includeSubDomains' }
    : {}
}
