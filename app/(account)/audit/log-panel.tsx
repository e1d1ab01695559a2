import type { Result } from '@/app/_web/api'
import { isMissing } from '@/app/_web/problem'
import type { ResponseOf } from '@/app/beak/_api/lines'
import { withBasePath } from '@/components/base-path'
import { buttonClass } from '@/components/ui/button'
import { Facts } from '@/components/ui/surface'
import { Time } from '@/components/ui/time'
import { readersLocale } from '@/components/ui/time-words'
import { m } from '@/lib/kernel/messages'
import { LogEntries } from './log-entries'

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
      <p className="mt-2 max-w-2xl text-sm text-soft">{m.audit_public_log_keeps_fingerprint_every_audit()}</p>
      {proof?.entry ? (
        <div className="mt-5">
          <Facts facts={factsOf(proof, proof.entry)} />
        </div>
      ) : (
        <p className="mt-3 max-w-2xl text-sm">
          {given === 'failed'
            ? m.audit_we_couldnt_read_transparency_log_just()
            : m.audit_your_newest_events_are_added_within()}
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
