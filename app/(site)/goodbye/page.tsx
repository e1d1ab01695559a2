import type { Metadata } from 'next'
import { notFound, redirect } from 'next/navigation'
import { ButtonLink } from '@/components/ui/button'
import { findViewer } from '@/lib/web/viewer'

export const metadata: Metadata = { title: 'Goodbye', robots: { index: false } }

const parts: { name: string; one: string; many: string }[] = [
  { name: 'certificates', one: 'birth certificate revoked', many: 'birth certificates revoked' },
  { name: 'agents', one: 'agent deregistered', many: 'agents deregistered' },
  { name: 'keys', one: 'beak key ended', many: 'beak keys ended' },
  { name: 'pecks_cancelled', one: 'waiting peck cancelled', many: 'waiting pecks cancelled' },
  { name: 'grants_revoked', one: 'permission revoked', many: 'permissions revoked' },
  { name: 'passkeys', one: 'passkey removed', many: 'passkeys removed' },
  { name: 'sessions', one: 'session ended', many: 'sessions ended' },
  { name: 'sso_tokens', one: 'SSO token revoked', many: 'SSO tokens revoked' },
  { name: 'webhooks', one: 'webhook switched off', many: 'webhooks switched off' },
]

interface PageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

/** After an account was closed: what went with it. The numbers come from the address, so they are only ever numbers. */
export default async function GoodbyePage({ searchParams }: PageProps) {
  const given = await searchParams
  if (parts.every(({ name }) => given[name] === undefined)) notFound()
  if ((await findViewer()) !== null) redirect('/account')
  const touched = parts
    .map((part) => ({ ...part, count: countIn(given[part.name]) }))
    .filter(({ count }) => count > 0)
  return (
    <div className="max-w-2xl">
      <h1>Goodbye, and safe flight.</h1>
      <p className="mt-4 text-lg text-soft">Your account is closed. This is what went with it:</p>
      {touched.length === 0 ? null : (
        <ul className="mt-8 grid border-t border-line">
          {touched.map(({ name, one, many, count }) => (
            <li key={name} className="flex items-baseline gap-5 border-b border-line py-3">
              <span className="w-14 text-end font-display text-xl font-semibold tabular-nums">{count}</span>
              <span>{count === 1 ? one : many}</span>
            </li>
          ))}
        </ul>
      )}
      <p className="my-8 text-soft">
        If your e-mail was confirmed, a last letter confirms this. You are welcome back any time.
      </p>
      <ButtonLink href="/">To the front page</ButtonLink>
    </div>
  )
}

function countIn(value: string | string[] | undefined): number {
  return typeof value === 'string' && /^\d{1,5}$/.test(value) ? Number(value) : 0
}
