import type { ResponseOf } from '@/app/beak/_api/lines'
import { withBasePath } from '@/components/base-path'
import { Link } from '@/components/ui/link'
import { Time } from '@/components/ui/time'

type OwnEntry = NonNullable<ResponseOf<'GET /beak/audit/proof'>['own_entries']>[number]

const shownMax = 20

const words: Record<OwnEntry['kind'], string> = {
  chain_head: 'End of your audit log',
  passkey_enrolled: 'Passkey added',
  passkey_removed: 'Passkey removed',
  decided: 'Decision',
  used: 'Permission used',
  revoked: 'Permission revoked',
  approver_page: 'Approver page',
  continues: 'Continued log',
  client_package: 'Client package',
  ended: 'Ended',
}

/** The viewer's newest entries of the transparency log: passkeys, decisions, uses and revocations. */
export function LogEntries({ entries, hasMore }: { entries: OwnEntry[]; hasMore: boolean }) {
  if (entries.length === 0) return null
  const hasPasskey = entries.slice(0, shownMax).some(({ passkey_id }) => passkey_id !== null)
  const isCut = hasMore || entries.length > shownMax
  return (
    <details className="mt-6 max-w-2xl">
      <summary className="cursor-pointer text-sm underline">Your entries in the log</summary>
      <p className="mt-3 text-sm text-soft">
        Each passkey, decision, use and revocation of yours has an entry that nobody can remove.
        {hasPasskey ? (
          <>
            {' '}
            <strong className="font-semibold text-ink">Is there a passkey that you did not add?</strong>{' '}
            <Link href="/security" className="underline">
              Compare with your passkeys
            </Link>
            .
          </>
        ) : null}
      </p>
      <ol className="mt-3 border-t border-line">
        {entries.slice(0, shownMax).map(({ index, kind, subject_id, logged_at }) => (
          <li
            key={index}
            className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 border-b border-line py-2.5 text-sm"
          >
            <span>
              {subject_id?.startsWith('CERT-') ? 'Certificate revoked' : words[kind]}
              {subject_id?.startsWith('PECK-') ? (
                <>
                  {' · '}
                  <Link href={`/pecks/${subject_id}`} className="underline">
                    Show the request
                  </Link>
                </>
              ) : null}
            </span>
            <span className="text-soft">
              Index {index.toLocaleString('en')}, <Time at={logged_at} />
            </span>
          </li>
        ))}
      </ol>
      <p className="mt-3 text-sm text-soft">
        {isCut ? `These are the newest ${shownMax}. ` : ''}
        <a href={withBasePath('/api/audit/proof?entries=true')} className="underline">
          Download your entries
        </a>
        {hasMore ? ' (the newest 1,000; your account export has all)' : ''}
      </p>
    </details>
  )
}
