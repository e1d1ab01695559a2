import type { Peck } from './reads'
import { requesterName } from './words'

/** Who asked whom, from the viewer's side: "“Scout”, your agent, asked Eider". */
export function Parties({ peck, viewerId }: { peck: Peck; viewerId: string }) {
  return (
    <>
      <RequesterWords requester={peck.requester} viewerId={viewerId} /> asked{' '}
      {peck.target_duckling_id === viewerId ? 'you' : peck.target_display_name}
    </>
  )
}

function RequesterWords({ requester, viewerId }: { requester: Peck['requester']; viewerId: string }) {
  const isOwn = requester.duckling_id === viewerId
  if (requester.agent_name === undefined) return isOwn ? 'You' : requester.display_name
  return (
    <>
      <bdi>{requesterName(requester)}</bdi>, {isOwn ? 'your agent' : `an agent of ${requester.display_name}`},
    </>
  )
}
