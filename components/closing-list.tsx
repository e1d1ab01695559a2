import type { ResponseOf } from '@/app/beak/_api/lines'

type Touched = ResponseOf<'GET /beak/account/delete/preview'>

export type Counts = Partial<Record<keyof Touched, number>>

const parts: { name: keyof Touched; one: string; many: string; end: string }[] = [
  { name: 'certificates', one: 'birth certificate', many: 'birth certificates', end: 'revoked' },
  { name: 'agents', one: 'agent', many: 'agents', end: 'deregistered' },
  { name: 'keys', one: 'beak key', many: 'beak keys', end: 'ended' },
  { name: 'pecks_cancelled', one: 'waiting peck', many: 'waiting pecks', end: 'cancelled' },
  { name: 'grants_revoked', one: 'permission', many: 'permissions', end: 'revoked' },
  { name: 'passkeys', one: 'passkey', many: 'passkeys', end: 'removed' },
  { name: 'sessions', one: 'session', many: 'sessions', end: 'ended' },
  { name: 'sso_tokens', one: 'SSO token', many: 'SSO tokens', end: 'revoked' },
  { name: 'webhooks', one: 'webhook', many: 'webhooks', end: 'switched off' },
]

/** The names under which the counts travel. */
export const partNames = parts.map(({ name }) => name)

/** What the closing of an account takes down, or took: how many of what. Nothing is listed that is not there. */
export function ClosingList({ counts }: { counts: Counts }) {
  const touched = parts.flatMap((part) => {
    const count = counts[part.name] ?? 0
    return count === 0 ? [] : [{ ...part, count }]
  })
  if (touched.length === 0) return null
  return (
    <ul className="border-t border-line">
      {touched.map(({ name, one, many, end, count }) => (
        <li key={name} className="flex items-baseline gap-4 border-b border-line py-2.5">
          <span className="w-12 text-end font-display text-lg font-semibold tabular-nums">{count}</span>
          <span>
            {count === 1 ? one : many} <span className="text-soft">{end}</span>
          </span>
        </li>
      ))}
    </ul>
  )
}
