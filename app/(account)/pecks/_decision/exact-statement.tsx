import { Facts } from '@/components/ui/surface'
import { m } from '@/lib/kernel/messages'
import { visible } from '@/lib/kernel/text/visible'
import type { Peck } from '../_peck/reads'

/** The service's statement of the request, and what is signed: the IDs, the hash and the params as they were sent. */
export function ExactStatement({ peck }: { peck: Peck }) {
  const { requester } = peck
  return (
    <details className="text-sm">
      <summary className="min-h-6 w-max max-w-full text-soft hover:text-ink">
        {m.decision_exact_statement()}
      </summary>
      <p translate="no" className="mt-3 max-w-prose wrap-anywhere">
        {peck.summary}
      </p>
      <div translate="no" className="mt-3 [&_dd]:font-mono [&_dd]:text-xs">
        <Facts
          facts={[
            { name: 'Action', value: peck.action },
            ...(peck.audience === undefined ? [] : [{ name: 'Service', value: peck.audience }]),
            ...(peck.challenge === undefined ? [] : [{ name: 'Challenge', value: peck.challenge }]),
            ...(peck.code_hash === undefined
              ? []
              : [{ name: 'Salted hash of the code', value: peck.code_hash }]),
            { name: 'Request', value: peck.peck_id },
            ...(requester.agent_id === undefined ? [] : [{ name: 'Agent', value: requester.agent_id }]),
            { name: 'From', value: requester.duckling_id },
            { name: 'To', value: peck.target_duckling_id },
            { name: 'SHA-256 of the parameters', value: peck.params_hash },
            {
              name: 'Parameters',
              value: (
                <pre translate="no" className="whitespace-pre-wrap wrap-anywhere">
                  <bdi translate="no">{visible(JSON.stringify(peck.params, null, 2))}</bdi>
                </pre>
              ),
            },
          ]}
        />
      </div>
    </details>
  )
}
