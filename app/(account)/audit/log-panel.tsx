import type { Result } from '@/app/_web/api'
import { isMissing } from '@/app/_web/problem'
import type { ResponseOf } from '@/app/beak/_api/lines'
import { withBasePath } from '@/components/base-path'
import { Sentence } from '@/components/sentence'
import { buttonClass } from '@/components/ui/button'
import { Link } from '@/components/ui/link'
import { Facts } from '@/components/ui/surface'
import { Time } from '@/components/ui/time'
import { m } from '@/lib/kernel/messages'
import { readersLocale } from '@/lib/kernel/text/time-words'

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
function LogEntries({ entries, hasMore }: { entries: OwnEntry[]; hasMore: boolean }) {
  if (entries.length === 0) return null
  const hasPasskey = entries.slice(0, shownMax).some(({ passkey_id }) => passkey_id !== null)
  const isCut = hasMore || entries.length > shownMax
  return (
    <details className="mt-6 max-w-2xl">
      <summary className="cursor-pointer text-sm underline">{m.audit_your_entries_in_the_log()}</summary>
      <p className="mt-3 text-sm text-soft">
        {m.audit_log_entries_are_permanent()}
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

type LogProof = ResponseOf<'GET /beak/audit/proof'>

const number = (value: number) => value.toLocaleString(readersLocale())

/** What the panel shows: the proof, `pending` while the log has no checkpoint yet, or `failed` when the proof could not be read. */
export type PanelProof = LogProof | 'pending' | 'failed'

/** Returns what the panel shows for the answer of the API. The proof is missing until the log has its first checkpoint. */
export function panelProofOf(result: Result<LogProof>): PanelProof {
  if (result.ok) return result.data
  return isMissing(result.problem) ? 'pending' : 'failed'
}

/** The entry of the viewer's log in the transparency log. */
export function LogPanel({ proof: given }: { proof: PanelProof }) {
  const proof = typeof given === 'string' ? null : given
  return (
    <section aria-labelledby="transparency" className="mt-14 border-t border-line pt-8">
      <h2 id="transparency" className="text-lg">
        {m.audit_transparency_log()}
      </h2>
      <p className="mt-2 max-w-2xl text-sm text-soft">{m.audit_transparency_log_intro()}</p>
      {proof?.entry ? (
        <div className="mt-5">
          <Facts facts={factsOf(proof, proof.entry)} />
        </div>
      ) : (
        <p className="mt-3 max-w-2xl text-sm">
          {given === 'failed' ? m.audit_transparency_log_failed() : m.audit_newest_events_delay()}
        </p>
      )}
      {proof?.own_entries ? (
        <LogEntries entries={proof.own_entries} hasMore={proof.has_more === true} />
      ) : null}
      <p className="mt-5 flex flex-wrap items-center gap-x-5 gap-y-3">
        {proof?.entry ? (
          <a href={withBasePath('/api/audit/proof')} className={buttonClass()}>
            {m.audit_download_the_proof()}
          </a>
        ) : null}
        <a href={withBasePath('/docs/api/audit#get-beak-audit-proof')} className="text-sm underline">
          {m.audit_how_to_check_the_proof()}
        </a>
      </p>
    </section>
  )
}

function factsOf(proof: LogProof, entry: NonNullable<LogProof['entry']>) {
  const { tree_size, signed_at, cosignatures } = proof
  const covered = entry.seq ?? 0
  return [
    {
      name: m.audit_your_entry(),
      value: m.audit_index_covers({ index: number(entry.index), count: covered, shown: number(covered) }),
    },
    { name: m.audit_log_size(), value: m.audit_entries({ count: tree_size, shown: number(tree_size) }) },
    { name: m.audit_signed(), value: <Time at={signed_at} /> },
    ...(cosignatures === 0
      ? []
      : [
          {
            name: m.audit_witnesses(),
            value: m.audit_confirmed_by_witnesses({ count: cosignatures, shown: number(cosignatures) }),
          },
        ]),
  ]
}
