/** All kinds of event in groups, for filters and webhook settings. */
import { type EventKind, eventKinds } from '@/lib/infrastructure/events/kinds'

export const eventGroups: { label: string; kinds: EventKind[] }[] = [
  { label: 'Account', prefixes: ['duckling', 'account', 'egg', 'notifications'] },
  { label: 'Signing in', prefixes: ['session', 'code', 'passkey'] },
  { label: 'Trust and certificate', prefixes: ['trust', 'cert'] },
  { label: 'Agents', prefixes: ['agent', 'key'] },
  { label: 'Pecks', prefixes: ['peck'] },
  { label: 'Other domains', prefixes: ['sso'] },
  { label: 'Webhooks', prefixes: ['webhook'] },
].map(({ label, prefixes }) => ({
  label,
  kinds: (Object.keys(eventKinds) as EventKind[]).filter((kind) =>
    prefixes.includes(kind.slice(0, kind.indexOf('.'))),
  ),
}))
