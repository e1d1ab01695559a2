import type { ReactNode } from 'react'
import { Facts } from '@/components/ui/surface'
import type { Peck, PeckWithDetails } from './reads'
import { meaning, paramText, visible } from './words'

/** What exactly is asked: the service's sentence, what approving means, the parameters, and the asker's own words as such. */
export function RequestFacts({ peck, details }: PeckWithDetails) {
  return (
    <div className="grid gap-5">
      <p className="max-w-prose wrap-anywhere">{peck.summary}</p>
      {peck.message ? (
        <figure className="rounded-control bg-sunken px-4 py-3">
          <figcaption className="text-xs text-soft">
            In the words of the one who asks. Beak has checked none of it.
          </figcaption>
          <blockquote className="mt-1 whitespace-pre-wrap wrap-anywhere">
            <bdi>{visible(peck.message)}</bdi>
          </blockquote>
        </figure>
      ) : null}
      <Facts
        facts={[
          { name: 'Action', value: <code>{peck.action}</code> },
          { name: 'Parameters', value: <Params params={peck.params} /> },
          { name: 'Approving means', value: meaning(peck.scope, details.grant_seconds) },
        ]}
      />
      <Details peck={peck} />
    </div>
  )
}

function Params({ params }: { params: Peck['params'] }): ReactNode {
  const entries = Object.entries(params)
  if (entries.length === 0) return 'None.'
  return (
    <dl className="grid gap-x-5 gap-y-1 font-mono sm:grid-cols-[fit-content(40%)_minmax(0,1fr)] text-[0.875em]">
      {entries.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-soft wrap-anywhere">{visible(name)}</dt>
          <dd className="whitespace-pre-wrap wrap-anywhere">
            <bdi>{paramText(value)}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** The IDs and the hash, for whoever compares them. */
function Details({ peck }: { peck: Peck }) {
  const { requester } = peck
  return (
    <details className="text-sm">
      <summary className="min-h-6 w-max text-soft hover:text-ink">IDs and hash</summary>
      <div className="mt-3 [&_dd]:font-mono [&_dd]:text-xs">
        <Facts
          facts={[
            { name: 'Peck', value: peck.peck_id },
            ...(requester.agent_id === undefined ? [] : [{ name: 'Agent', value: requester.agent_id }]),
            { name: 'Asked by', value: requester.duckling_id },
            { name: 'Asked of', value: peck.target_duckling_id },
            { name: 'SHA-256 of the parameters', value: peck.params_hash },
          ]}
        />
      </div>
    </details>
  )
}
