import { config } from '@/lib/kernel/config'

/** Returns the address of the page that checks a certificate. */
export function verifyUrl(certificateId: string): string {
  return `${config().baseUrl}/verify/${certificateId}`
}
