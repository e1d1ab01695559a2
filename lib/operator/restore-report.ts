/** What restoring says: what is there again, what was ended, and what the host must do. */
import type { EntryKind } from '@beak/client/verify/log/entry'
import type { EndedAgain } from '@/lib/domain/backup/apply-ended'
import type { Ended } from '@/lib/domain/backup/end-old'
import type { Restored } from '@/lib/domain/backup/restore'
import { config } from '@/lib/kernel/config'
import type { PrintLine } from './command'

const number = (count: number) => count.toLocaleString('en')

/** Prints what was ended because it is too old. */
export function reportEnded(ended: Ended, print: PrintLine): void {
  print(
    `Ended: sessions (${number(ended.sessions)}) and all codes, permissions (${number(ended.permissions)}), waiting requests (${number(ended.requests)}).`,
  )
  print(
    `Suspended until their owners resume them: agents (${number(ended.agents)}) and rules (${number(ended.rules)}).`,
  )
  print(`Not sent: messages that waited when the backup was made (${number(ended.messages)}).`)
  print('Every owner is told by mail when the service starts.')
}

/** Prints what was restored, and what of it was ended. */
export function report({ header, rows, verified, ended }: Restored, print: PrintLine): void {
  print(`Restored ${number(rows)} rows of ${header.base_url}, as they were at ${header.made_at}.`)
  print(
    `Verified: ${number(verified.events)} audit events, ${number(verified.entries)} log entries, ${number(verified.receipts)} signed decisions.`,
  )
  if (verified.unverified.length > 0)
    print(
      `These decisions do not verify for ${header.base_url}: ${verified.unverified.slice(0, 20).join(', ')}${verified.unverified.length > 20 ? ', …' : ''}`,
    )
  reportEnded(ended, print)
  if (header.base_url !== config().baseUrl)
    print(
      `BASE_URL is ${config().baseUrl} now. Passkeys belong to the host of ${header.base_url}, and do not work for another one.`,
    )
}

const sinceWords = {
  decided: 'decisions',
  used: 'uses of permissions',
  revoked: 'revocations of permissions or certificates',
  passkey_enrolled: 'new passkeys',
  passkey_removed: 'removed passkeys',
  ended: 'closed accounts, revoked certificates, removed agents and replaced keys',
} as const

/** Prints how many things were ended again. */
export function reportEndedAgain(
  { accounts, certificates, agents, keys, passkeys }: EndedAgain,
  print: PrintLine,
): void {
  print(
    `Ended again: accounts (${number(accounts)}), certificates (${number(certificates)}), agents (${number(agents)}), replaced beak keys (${number(keys)}), passkeys (${number(passkeys)}).`,
  )
}

/** Prints what the log shows since the backup, and what of it was ended again. */
export function reportSince(entries: { kind: EntryKind }[], again: EndedAgain, print: PrintLine): void {
  print(`The log gets ${number(entries.length)} entries from the mirror. Since the backup it shows:`)
  for (const [kind, words] of Object.entries(sinceWords))
    print(`  ${number(entries.filter((entry) => entry.kind === kind).length)} ${words}`)
  reportEndedAgain(again, print)
}
