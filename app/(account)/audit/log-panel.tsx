import { buttonClass } from '@/components/ui/button'
import { Facts } from '@/components/ui/surface'
import { Time } from '@/components/ui/time'
import type { LogProofOutput } from '@/lib/tlog/schema'

const number = (value: number) => value.toLocaleString('en')

/** Where the viewer's log is in the transparency log. `proof` is null while that log cannot be read. */
export function LogPanel({ proof }: { proof: LogProofOutput | null }) {
  return (
    <section aria-labelledby="transparency" className="mt-14 border-t border-line pt-8">
      <h2 id="transparency" className="text-lg">
        Transparency log
      </h2>
      <p className="mt-2 max-w-2xl text-sm text-soft">
        A public log keeps a fingerprint of every audit log, and of every passkey. It shows nothing about you.
        If we changed one of your past events, your log would no longer match its fingerprint.
      </p>
      {proof?.entry ? (
        <div className="mt-5">
          <Facts facts={factsOf(proof, proof.entry)} />
        </div>
      ) : (
        <p className="mt-3 max-w-2xl text-sm">Your newest events are added within a minute.</p>
      )}
      <p className="mt-5 flex flex-wrap items-center gap-x-5 gap-y-3">
        {proof?.entry ? (
          <a href="/api/audit/proof" className={buttonClass()}>
            Download the proof
          </a>
        ) : null}
        <a href="/docs/api/audit#get-beak-audit-proof" className="text-sm underline">
          How to check the proof
        </a>
      </p>
    </section>
  )
}

function factsOf(proof: LogProofOutput, entry: NonNullable<LogProofOutput['entry']>) {
  const { tree_size, signed_at, cosignatures } = proof
  return [
    {
      name: 'Your entry',
      value: `Number ${number(entry.index)}, covers your events up to ${number(entry.seq ?? 0)}`,
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
