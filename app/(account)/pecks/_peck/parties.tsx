import { personMark, personName } from '@beak/decision/person-name'
import { Sentence } from '@/components/sentence'
import { m } from '@/lib/kernel/messages'
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
  const isOwn = requester.duckling_id === viewerId
  const target = () => <TargetName peck={peck} />
  if (requester.agent_name === undefined && isOwn)
    return <Sentence of={m.requests_you_asked_other} parts={{ target }} />
  if (peck.target_duckling_id === viewerId)
    return <AskedYou requester={requester} viewerId={viewerId} now={now} />
  const asker = () => <PersonWords requester={requester} now={now} />
  if (requester.agent_name === undefined)
    return <Sentence of={m.requests_person_asked_other} parts={{ asker, target }} />
  const agent = () => <bdi translate="no">{requesterName(requester)}</bdi>
  return isOwn ? (
    <Sentence of={m.requests_own_agent_asked_other} parts={{ agent, target }} />
  ) : (
    <Sentence of={m.requests_agent_asked_other} parts={{ agent, asker, target }} />
  )
}

/** Who asked the viewer. */
export function AskedYou({ requester, viewerId, now }: Pick<Peck, 'requester'> & Omit<PartiesProps, 'peck'>) {
  const asker = () => <PersonWords requester={requester} now={now} />
  if (requester.agent_name === undefined)
    return <Sentence of={m.requests_person_asked_you} parts={{ asker }} />
  const agent = () => <bdi translate="no">{requesterName(requester)}</bdi>
  return requester.duckling_id === viewerId ? (
    <Sentence of={m.requests_own_agent_asked_you} parts={{ agent }} />
  ) : (
    <Sentence of={m.requests_agent_asked_you} parts={{ agent, asker }} />
  )
}

/** The name of the person who was asked, with the handle or the end of the id: "Eider (…7F3K)". */
export function TargetName({ peck }: { peck: Peck }) {
  return (
    <>
      <bdi translate="no">{targetName(peck)}</bdi> (
      <bdi translate="no">{personMark(peck.target_handle, peck.target_duckling_id)}</bdi>)
    </>
  )
}

function PersonWords({ requester, now }: Pick<Peck, 'requester'> & { now: Date }) {
  return (
    <>
      <bdi translate="no">{personName(requester)}</bdi> (<OwnerLine owner={requester} now={now.getTime()} />)
    </>
  )
}
