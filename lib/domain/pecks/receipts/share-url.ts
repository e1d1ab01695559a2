import { config } from '@/lib/kernel/config'

/** Returns the address of the public page of a shared receipt. */
export function shareUrl(id: string): string {
  return `${config().baseUrl}/r/${id}`
}
