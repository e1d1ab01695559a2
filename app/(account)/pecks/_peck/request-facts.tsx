import { Facts } from '@/components/ui/surface'
import type { Peck, PeckWithDetails } from './reads'
import { actionPhrase, extentWords, paramText, requesterName, visible } from './words'

/** Everything that a person needs to decide on a request. Text of the requester is marked as such. */
export function RequestFacts({ viewerId, ...request }: PeckWithDetails & { viewerId: string }) {
  const { peck } = request
  return (
    <div className="grid gap-5">
      <RequestSentence {...request} viewerId={viewerId} />
      {peck.message ? <RequesterMessage text={peck.message} /> : null}
      <Facts
        facts={[
          { name: 'Action', value: <code>{peck.action}</code> },
          { name: 'Parameters', value: <Params params={peck.params} /> },
        ]}
      />
      <StatementAndIds peck={peck} />
    </div>
  )
}

function RequestSentence({ peck, details, viewerId }: PeckWithDetails & { viewerId: string }) {
  const { requester } = peck
  const isPending = peck.status === 'pending'
  const isViewer = requester.duckling_id === viewerId && requester.agent_name === undefined
  const verb = isPending && !isViewer ? 'wants' : 'asked'
  const isTarget = peck.target_duckling_id === viewerId
  return (
    <p className="max-w-prose wrap-anywhere">
      <bdi>{isViewer ? 'You' : requesterName(requester)}</bdi> {verb} to{' '}
      <strong className="font-semibold">{actionPhrase(peck)}</strong>,{' '}
      {extentWords(peck.scope, details.grant_seconds, isTarget ? 'your approval' : 'the approval')}.
      {isPending && isTarget
        ? ` You can revoke the permission ${peck.scope === 'limited' ? 'until it is used' : 'at any time'}.`
        : null}
    </p>
  )
}

function RequesterMessage({ text }: { text: string }) {
  return (
    <figure className="rounded-control bg-sunken px-4 py-3">
      <figcaption className="text-xs text-soft">Message from the requester (not verified)</figcaption>
      <blockquote className="mt-1 whitespace-pre-wrap wrap-anywhere">
        <bdi>{visible(text)}</bdi>
      </blockquote>
    </figure>
  )
}

function Params({ params }: { params: Peck['params'] }) {
  const entries = Object.entries(params)
  if (entries.length === 0) return 'None'
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

/** The service's statement of the request, and the IDs and the hash for people who compare them. */
function StatementAndIds({ peck }: { peck: Peck }) {
  const { requester } = peck
  return (
    <details className="text-sm">
      <summary className="min-h-6 w-max max-w-full text-soft hover:text-ink">Exact statement and IDs</summary>
      <p className="mt-3 max-w-prose wrap-anywhere">{peck.summary}</p>
      <div className="mt-3 [&_dd]:font-mono [&_dd]:text-xs">
        <Facts
          facts={[
            { name: 'Request', value: peck.peck_id },
            ...(requester.agent_id === undefined ? [] : [{ name: 'Agent', value: requester.agent_id }]),
            { name: 'From', value: requester.duckling_id },
            { name: 'To', value: peck.target_duckling_id },
            { name: 'SHA-256 of the parameters', value: peck.params_hash },
          ]}
        />
      </div>
    </details>
  )
}
