import { NameTag } from '../_peck/name-tag'
import { askerPath } from '../_peck/pages'
import type { PeckWithDetails } from '../_peck/reads'
import { sentenceParts } from './sentence-parts'

interface RequestSentenceProps extends PeckWithDetails {
  viewerId: string
}

/** The sentence of the service: "Scout wants to book a table, once, within 1 hour of the approval". */
export function RequestSentence({ peck, details, viewerId }: RequestSentenceProps) {
  const { requester } = peck
  const isTarget = peck.target_duckling_id === viewerId
  const isViewer = requester.duckling_id === viewerId && requester.agent_name === undefined
  const { action, extent } = sentenceParts(details.display.sentence, isTarget)
  return (
    <>
      {isViewer ? 'You' : <NameTag requester={requester} href={askerPath(requester, viewerId)} />}{' '}
      <span className="font-normal">{peck.status === 'pending' && !isViewer ? 'wants to' : 'asked to'}</span>{' '}
      <strong className="font-[680]">{action}</strong>
      <span className="font-normal">{extent}</span>
    </>
  )
}
