import { m } from '@/lib/kernel/messages'
import type { Part } from './parts'

const endedLabels: Record<string, () => string> = {
  certificates: m.mail_closed_certificates,
  agents: m.mail_closed_agents,
  grants_revoked: m.removed_grants_revoked,
  rules: m.removed_rules,
  passkeys: m.removed_passkeys,
  sessions: m.mail_closed_sessions,
}

/** Returns what ended with an account. Rows of earlier versions do not say it. */
export function endedList(counts: Record<string, string>): Part[] {
  const list = Object.entries(endedLabels).flatMap(([kind, label]) =>
    Number(counts[kind] ?? 0) === 0 ? [] : `${label()}: ${counts[kind]}`,
  )
  return list.length === 0 ? [] : [{ lead: m.mail_closed_ended_with_it(), list }]
}
