import { Sentence } from '@/components/sentence'
import { m } from '@/lib/kernel/messages'
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
  const { requester } = peck
  const isToViewer = peck.target_duckling_id === viewerId
  const isOwn = requester.duckling_id === viewerId
  const asker = () => <PersonWords requester={requester} now={now} />
  const target = () => <TargetName peck={peck} />
  if (requester.agent_name === undefined) {
    if (isOwn) return <Sentence of={m.requests_you_asked_other} parts={{ target }} />
    return isToViewer ? (
      <Sentence of={m.requests_person_asked_you} parts={{ asker }} />
    ) : (
      <Sentence of={m.requests_person_asked_other} parts={{ asker, target }} />
    )
  }
  const agent = () => <bdi>{requesterName(requester)}</bdi>
  if (isOwn)
    return isToViewer ? (
      <Sentence of={m.requests_own_agent_asked_you} parts={{ agent }} />
    ) : (
      <Sentence of={m.requests_own_agent_asked_other} parts={{ agent, target }} />
    )
  return isToViewer ? (
    <Sentence of={m.requests_agent_asked_you} parts={{ agent, asker }} />
  ) : (
    <Sentence of={m.requests_agent_asked_other} parts={{ agent, asker, target }} />
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

function PersonWords({ requester, now }: Pick<Peck, 'requester'> & { now: Date }) {
  return (
    <>
      <bdi>{personName(requester)}</bdi> (<OwnerLine owner={requester} now={now.getTime()} />)
    </>
  )
}
