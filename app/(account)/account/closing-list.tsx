import type { ResponseOf } from '@/app/beak/_api/lines'

type ClosedCounts = ResponseOf<'GET /beak/account/delete/preview'>

export type Counts = Partial<Record<keyof ClosedCounts, number>>

const parts: { name: keyof ClosedCounts; one: string; many: string; end: string }[] = [
  { name: 'certificates', one: 'birth certificate', many: 'birth certificates', end: 'revoked' },
  { name: 'agents', one: 'agent', many: 'agents', end: 'deregistered' },
  { name: 'keys', one: 'beak key', many: 'beak keys', end: 'revoked' },
  { name: 'pecks_cancelled', one: 'pending peck', many: 'pending pecks', end: 'withdrawn' },
  { name: 'grants_revoked', one: 'permission', many: 'permissions', end: 'revoked' },
  { name: 'passkeys', one: 'passkey', many: 'passkeys', end: 'removed' },
  { name: 'sessions', one: 'session', many: 'sessions', end: 'signed out' },
  { name: 'sso_tokens', one: 'SSO token', many: 'SSO tokens', end: 'revoked' },
  { name: 'webhooks', one: 'webhook', many: 'webhooks', end: 'turned off' },
]

/** The names of the counts, as the API and the address of the goodbye page use them. */
export const partNames = parts.map(({ name }) => name)

/** Lists how many things closing an account ends, or has ended. Leaves out counts of zero. */
export function ClosingList({ counts }: { counts: Counts }) {
  const listed = parts.flatMap((part) => {
    const count = counts[part.name] ?? 0
    return count === 0 ? [] : [{ ...part, count }]
  })
  if (listed.length === 0) return null
  return (
    <ul className="border-t border-line">
      {listed.map(({ name, one, many, end, count }) => (
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
