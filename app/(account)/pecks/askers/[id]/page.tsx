import type { Metadata } from 'next'
import { cache } from 'react'
import { MissingPage } from '@/app/_shell/missing-page'
import { withProblemPage, withProblemTitle } from '@/app/_shell/problem-page'
import { answerNotFound } from '@/app/_web/answer-not-found'
import { find } from '@/app/_web/read'
import { requireViewer } from '@/app/_web/viewer'
import { Announcements } from '@/components/ui/announcements'
import { BackLink } from '@/components/ui/back-link'
import { Section } from '@/components/ui/surface'
import { readClock } from '@/lib/kernel/clock'
import { m } from '@/lib/kernel/messages'
import { isolated, personName } from '@/lib/kernel/text/person-name'
import { AskingAgents } from './agents'
import { CardActions } from './card-actions'
import { Decisions } from './decisions'
import { PersonFacts, PersonHead } from './person'

interface AskerProps {
  params: Promise<{ id: string }>
}

export const generateMetadata = withProblemTitle(async function generateMetadata({
  params,
}: AskerProps): Promise<Metadata> {
  const { id } = await params
  await requireViewer(addressOf(id))
  const card = await findCard(id)
  return {
    title: card === null ? m.askers_asker() : isolated(personName(card.person)),
    robots: { index: false },
  }
})

/** The card of somebody who asked the viewer: who it is, and what the viewer decided before. */
export default withProblemPage(async function AskerPage({ params }: AskerProps) {
  const { id } = await params
  const viewer = await requireViewer(addressOf(id))
  const card = await findCard(id)
  if (card === null) {
    answerNotFound()
    return <MissingPage kind="asker" viewer={viewer} />
  }
  const now = readClock()
  const isOwn = card.person.duckling_id === viewer.duckling_id
  return (
    <div className="max-w-3xl">
      <BackLink href="/pecks">{m.askers_inbox()}</BackLink>
      <PersonHead person={card.person} now={now} />
      <Section id="person" title={isOwn ? m.askers_you() : m.askers_who_this_is()}>
        <PersonFacts card={card} now={now} />
      </Section>
      <AskingAgents agents={card.agents} isOwn={isOwn} now={now} />
      <Decisions card={card} now={now} />
      <Announcements>
        <CardActions card={card} isOwn={isOwn} now={now} />
      </Announcements>
    </div>
  )
})

const addressOf = (id: string) => `/pecks/askers/${encodeURIComponent(id)}`

/** Returns the card, or null when the viewer has seen no request of that asker. Cached, because the page and its title both read it. */
const findCard = cache((id: string) => find('GET /beak/peck/asker', { query: { asker: id } }))
