/** What the worker does for each kind of promised work, and what it does by the clock. */
import type { OutboxKind, OutboxPayloads } from '@/lib/events/outbox'
import { sendCode } from '@/lib/identity/send-code'
import { sendLetter, sendNotice } from '@/lib/identity/send-notice'
import { reloadKeys } from '@/lib/keys/signing-keys'
import { dropExpiredCeremonies } from '@/lib/passkeys/ceremony'
import { writeSeen } from '@/lib/sessions/seen'
import { dropExpiredTokens } from '@/lib/sso/drop-expired'

interface Job<K extends OutboxKind> {
  run(payload: OutboxPayloads[K], now: Date): Promise<void>
  /** Seconds to wait after each failed try; when they are used up the row is given up and kept as failed. */
  retries: number[]
}

/** Mail and SMS: a provider that is down for a day delays them; a code older than its reader's patience is not sent. */
const mailRetries = [5, 30, 120, 600, 1800, 3600, 7200, 14400, 28800, 43200]
const codeRetries = [2, 5, 10, 20, 40, 80, 160, 300]

export const jobs: { [K in OutboxKind]?: Job<K> } = {
  code: { run: sendCode, retries: codeRetries },
  notice: { run: sendNotice, retries: mailRetries },
  letter: { run: sendLetter, retries: mailRetries },
}

interface Chore {
  name: string
  everySeconds: number
  run(now: Date): Promise<void>
}

export const chores: Chore[] = [
  { name: 'write last uses', everySeconds: 3, run: writeSeen },
  { name: 'look for new signing keys', everySeconds: 60, run: reloadKeys },
  { name: 'drop expired passkey ceremonies', everySeconds: 60, run: dropExpiredCeremonies },
  { name: 'drop expired SSO tokens', everySeconds: 3600, run: dropExpiredTokens },
]
