import type { Metadata } from 'next'
import { cache } from 'react'
import { answerNotFound } from '@/app/_web/answer-not-found'
import { viewerHasPasskey } from '@/app/_web/passkeys'
import { find } from '@/app/_web/read'
import { requireViewer } from '@/app/_web/viewer'
import { NotFoundPage } from '@/components/not-found-page'
import { withProblemPage, withProblemTitle } from '@/components/problem-page'
import { Announcements } from '@/components/ui/announcements'
import { BackLink } from '@/components/ui/back-link'
import { CopyBlock } from '@/components/ui/copy'
import { Card, Notice, PageHead, Pill, Section } from '@/components/ui/surface'
import { readClock } from '@/lib/kernel/clock'
import { Asker } from '../asker'
import { Cancel } from '../cancel'
import { RequestFacts } from '../facts'
import { Live } from '../live'
import { type PeckWithDetails, withDetails } from '../reads'
import { AnswerTo } from '../request-card'
import { Parties } from '../row'
import { settledAs } from '../settled'
import { actionWords, stateWords } from '../words'
import { Block } from './block'
import { Permission } from './permission'
import { Story } from './story'

interface PeckProps {
  params: Promise<{ id: string }>
  searchParams: Promise<{ repeated?: string }>
}

export const generateMetadata = withProblemTitle(async function generateMetadata({
  params,
}: PeckProps): Promise<Metadata> {
  const { id } = await params
  await requireViewer(`/pecks/${encodeURIComponent(id)}`)
  const found = await findOne(id)
  return { title: found === null ? 'A peck' : actionWords(found.peck.action), robots: { index: false } }
})

/** One peck, whole, for either side. */
export default withProblemPage(async function PeckPage({ params, searchParams }: PeckProps) {
  const { id } = await params
  const viewer = await requireViewer(`/pecks/${encodeURIComponent(id)}`)
  const found = await findOne(id)
  if (found === null) {
    answerNotFound()
    return <NotFoundPage />
  }
  const { peck } = found
  const { word, tone } = stateWords(peck)
  const isTarget = peck.target_duckling_id === viewer.duckling_id
  const isAsker = peck.requester.duckling_id === viewer.duckling_id
  return (
    <>
      <BackLink href="/pecks">All pecks</BackLink>
      <PageHead
        title={actionWords(peck.action)}
        state={<Pill tone={tone}>{word}</Pill>}
        lead={<Parties peck={peck} viewerId={viewer.duckling_id} />}
      />
      {(await searchParams).repeated === undefined ? null : (
        <div className="mb-6">
          <Notice role="status">
            You had asked for this already. It still waits, so nothing new was sent.
          </Notice>
        </div>
      )}
      <Live ducklingId={viewer.duckling_id} />
      <div className="mt-3 grid items-start gap-x-12 gap-y-10 xl:grid-cols-[minmax(0,1fr)_15rem]">
        <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-10">
          <Announcements>
            <Card className="grid gap-6">
              <Asker {...found} />
              <RequestFacts {...found} />
              {isTarget ? (
                <footer className="border-t border-line pt-5">
                  <AnswerTo
                    {...found}
                    viewer={viewer}
                    hasPasskey={await viewerHasPasskey()}
                    isOnItsPage
                    settled={peck.status === 'pending' ? null : settledAs(peck)}
                  />
                </footer>
              ) : null}
              {isAsker && peck.status === 'pending' ? (
                <footer className="flex flex-wrap items-center justify-between gap-4 border-t border-line pt-5">
                  <p className="text-sm text-soft">
                    Waiting for {isTarget ? 'you' : peck.target_display_name}.
                  </p>
                  <Cancel peck={peck} />
                </footer>
              ) : null}
            </Card>
            {peck.grant_token === undefined ? null : (
              <CopyBlock
                label="Grant token: shows whoever guards the thing that you may"
                text={peck.grant_token}
                copyLabel="Copy the token"
              />
            )}
            {peck.status === 'approved' ? <Permission {...found} isTarget={isTarget} /> : null}
            {isTarget && !isAsker && peck.status !== 'pending' ? (
              <div>
                <Block requester={peck.requester} isBlocked={found.details.requester_blocked} />
              </div>
            ) : null}
          </Announcements>
        </div>
        <Section id="story" title="What happened">
          <Story moments={found} now={readClock()} />
        </Section>
      </div>
    </>
  )
})

/** The peck, or null: one that is not the viewer's is not there. */
const findOne = cache(async (id: string): Promise<PeckWithDetails | null> => {
  const peck = await find('GET /beak/peck/status', { query: { peck_id: id } })
  if (peck === null) return null
  const [found] = await withDetails([peck])
  return found ?? null
})
