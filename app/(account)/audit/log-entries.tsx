import type { ResponseOf } from '@/app/beak/_api/lines'
import { withBasePath } from '@/components/base-path'
import { Sentence } from '@/components/sentence'
import { Link } from '@/components/ui/link'
import { Time } from '@/components/ui/time'
import { readersLocale } from '@/components/ui/time-words'
import { m } from '@/lib/kernel/messages'

type OwnEntry = NonNullable<ResponseOf<'GET /beak/audit/proof'>['own_entries']>[number]

const shownMax = 20

const words: Record<OwnEntry['kind'], string> = {
  get chain_head() {
    return m.audit_end_of_your_audit_log()
  },
  get passkey_enrolled() {
    return m.audit_passkey_added()
  },
  get passkey_removed() {
    return m.audit_passkey_removed()
  },
  get decided() {
    return m.audit_decision()
  },
  get used() {
    return m.audit_permission_used()
  },
  get revoked() {
    return m.audit_permission_revoked()
  },
  get approver_page() {
    return m.audit_approver_page()
  },
  get continues() {
    return m.audit_continued_log()
  },
  get client_package() {
    return m.audit_client_package()
  },
  get ended() {
    return m.audit_ended()
  },
}

/** The viewer's newest entries of the transparency log: passkeys, decisions, uses and revocations. */
export function LogEntries({ entries, hasMore }: { entries: OwnEntry[]; hasMore: boolean }) {
  if (entries.length === 0) return null
  const hasPasskey = entries.slice(0, shownMax).some(({ passkey_id }) => passkey_id !== null)
  const isCut = hasMore || entries.length > shownMax
  return (
    <details className="mt-6 max-w-2xl">
      <summary className="cursor-pointer text-sm underline">{m.audit_your_entries_in_the_log()}</summary>
      <p className="mt-3 text-sm text-soft">
        {m.audit_each_passkey_decision_use_revocation_yours()}
        {hasPasskey ? (
          <>
            {' '}
            <Sentence
              of={m.audit_compare_with_your_passkeys}
              parts={{
                strong: (children) => <strong className="font-semibold text-ink">{children}</strong>,
                link: (children) => (
                  <Link href="/security" className="underline">
                    {children}
                  </Link>
                ),
              }}
            />
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
              {subject_id?.startsWith('CERT-') ? m.audit_certificate_revoked() : words[kind]}
              {subject_id?.startsWith('PECK-') ? (
                <>
                  {' · '}
                  <Link href={`/pecks/${subject_id}`} className="underline">
                    {m.audit_show_the_request()}
                  </Link>
                </>
              ) : null}
            </span>
            <span className="text-soft">
              <Sentence
                of={m.audit_index_and_time}
                with={{ index: index.toLocaleString(readersLocale()) }}
                parts={{ time: () => <Time at={logged_at} /> }}
              />
            </span>
          </li>
        ))}
      </ol>
      <p className="mt-3 text-sm text-soft">
        {isCut ? `${m.audit_newest_shown({ count: shownMax })} ` : ''}
        <Sentence
          of={hasMore ? m.audit_download_newest_entries : m.audit_download_entries}
          parts={{
            download: (children) => (
              <a href={withBasePath('/api/audit/proof?entries=true')} className="underline">
                {children}
              </a>
            ),
          }}
        />
      </p>
    </details>
  )
}
