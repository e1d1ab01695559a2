import type { Result } from '@/app/_web/api'
import { isMissing } from '@/app/_web/problem'
import type { ResponseOf } from '@/app/beak/_api/lines'
import { withBasePath } from '@/components/base-path'
import { buttonClass } from '@/components/ui/button'
import { Facts } from '@/components/ui/surface'
import { Time } from '@/components/ui/time'
import { LogEntries } from './log-entries'

type LogProof = ResponseOf<'GET /beak/audit/proof'>

const number = (value: number) => value.toLocaleString('en')

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
        Transparency log
      </h2>
      <p className="mt-2 max-w-2xl text-sm text-soft">
        A public log keeps a fingerprint of every audit log, passkey and decision. It shows nothing about you.
        If we changed one of your past events, your log would no longer match its fingerprint.
      </p>
      {proof?.entry ? (
        <div className="mt-5">
          <Facts facts={factsOf(proof, proof.entry)} />
        </div>
      ) : (
        <p className="mt-3 max-w-2xl text-sm">
          {given === 'failed'
            ? "We couldn't read the transparency log just now. Reload this page to try again."
            : 'Your newest events are added within a minute.'}
        </p>
      )}
      {proof?.own_entries ? (
        <LogEntries entries={proof.own_entries} hasMore={proof.has_more === true} />
      ) : null}
      <p className="mt-5 flex flex-wrap items-center gap-x-5 gap-y-3">
        {proof?.entry ? (
          <a href={withBasePath('/api/audit/proof')} className={buttonClass()}>
            Download the proof
          </a>
        ) : null}
        <a href={withBasePath('/docs/api/audit#get-beak-audit-proof')} className="text-sm underline">
          How to check the proof
        </a>
      </p>
    </section>
  )
}

function coverageWords(seq: number | null): string {
  return seq === 1 ? 'your first event' : `your first ${number(seq ?? 0)} events`
}

function factsOf(proof: LogProof, entry: NonNullable<LogProof['entry']>) {
  const { tree_size, signed_at, cosignatures } = proof
  return [
    {
      name: 'Your entry',
      value: `Index ${number(entry.index)}, covers ${coverageWords(entry.seq)}`,
    },
    { name: 'Size of the log', value: `${number(tree_size)} ${tree_size === 1 ? 'entry' : 'entries'}` },
    { name: 'Signed', value: <Time at={signed_at} /> },
    ...(cosignatures === 0
      ? []
      : [
          {
            name: 'Witnesses',
            value: `Confirmed by ${number(cosignatures)} independent ${cosignatures === 1 ? 'witness' : 'witnesses'}`,
          },
        ]),
  ]
}
