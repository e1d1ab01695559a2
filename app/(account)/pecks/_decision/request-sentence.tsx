import type { ReactNode } from 'react'
import { Sentence } from '@/components/sentence'
import { m } from '@/lib/kernel/messages'
import { extentOf } from '@/lib/kernel/text/extent'
import { NameTag } from '../_peck/name-tag'
import { askerPath } from '../_peck/pages'
import type { ShownPeck } from '../_peck/reads'

interface RequestSentenceProps extends ShownPeck {
  viewerId: string
}

/** The sentence of the service: "Scout wants to book a table, once, within 1 hour of the approval". */
export function RequestSentence({ peck, details, words, viewerId }: RequestSentenceProps) {
  const { requester } = peck
  const isViewer = requester.duckling_id === viewerId && requester.agent_name === undefined
  const values = {
    action: words.action,
    ...extentOf({ action: peck.action, scope: peck.scope, grantSeconds: details.grant_seconds }),
  }
  const look = {
    light: (children: ReactNode) => <span className="font-normal">{children}</span>,
    strong: (children: ReactNode) => <strong className="font-[680]">{children}</strong>,
  }
  if (isViewer) return <Sentence of={m.decision_you_asked_to} with={values} parts={look} />
  return (
    <Sentence
      of={peck.status === 'pending' ? m.decision_asker_wants_to : m.decision_asker_asked_to}
      with={values}
      parts={{
        ...look,
        asker: () => <NameTag requester={requester} href={askerPath(requester, viewerId)} />,
      }}
    />
  )
}
