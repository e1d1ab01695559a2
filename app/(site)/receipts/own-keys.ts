import { send } from '@/app/_web/api'
import { read } from '@/app/_web/page-read'
import { config } from '@/lib/kernel/config'
import type { OwnKeys } from './judge'

/** Returns the keys with which a page checks receipts of this service: its signing keys, and the keys of its transparency log. */
export async function readOwnKeys(): Promise<OwnKeys> {
  const [keys, vkeys] = await Promise.all([
    read('GET /.well-known/jwks.json'),
    send('GET /.well-known/tlog/vkeys', {}),
  ])
  // Without the keys of the log, receipts are still valid, and the check says that the enrolment of a passkey is not proven.
  const log = vkeys.status === 200 ? String(vkeys.body).split('\n') : []
  return { issuer: config().baseUrl, ...keys, log: log.filter((line) => line !== '') }
}
