import { personMark, personName } from '@/lib/kernel/text/person-name'
import { OwnerLine } from './owner-line'
import type { Peck } from './reads'
import { requesterName, targetName } from './words'

interface PartiesProps {
  peck: Peck
  viewerId: string
  now: Date
}

/** Who asked whom, from the viewer's side: "“Scout”, an agent of Teal (@teal · T1 · since 2025-11), asked you". */
export function Parties({ peck, viewerId, now }: PartiesProps) {
  return (
    <>
      <RequesterWords requester={peck.requester} viewerId={viewerId} now={now} /> asked{' '}
      {peck.target_duckling_id === viewerId ? 'you' : <TargetName peck={peck} />}
    </>
  )
}

/** The name of the person who was asked, with the handle or the end of the id: "Eider (…7F3K)". */
export function TargetName({ peck }: { peck: Peck }) {
  return (
    <>
      <bdi>{targetName(peck)}</bdi> ({personMark(peck.target_handle, peck.target_duckling_id)})
    </>
  )
}

function RequesterWords({ requester, viewerId, now }: Omit<PartiesProps, 'peck'> & Pick<Peck, 'requester'>) {
  const isOwn = requester.duckling_id === viewerId
  if (requester.agent_name === undefined)
    return isOwn ? 'You' : <PersonWords requester={requester} now={now} />
  return (
    <>
      <bdi>{requesterName(requester)}</bdi>,{' '}
      {isOwn ? (
        'your agent'
      ) : (
        <>
          an agent of <PersonWords requester={requester} now={now} />
        </>
      )}
      ,
    </>
  )
}

function PersonWords({ requester, now }: Pick<Peck, 'requester'> & { now: Date }) {
  return (
    <>
      <bdi>{personName(requester)}</bdi> (<OwnerLine owner={requester} now={now.getTime()} />)
    </>
  )
}
