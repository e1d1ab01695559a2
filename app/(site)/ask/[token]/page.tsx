import { isFreeText } from '@beak/decision/free-text'
import { isolated, personName } from '@beak/decision/person-name'
import type { Metadata } from 'next'
import { cache } from 'react'
import { ForExperts } from '@/app/_shell/for-experts'
import { withProblemPage, withProblemTitle } from '@/app/_shell/problem-page'
import { api } from '@/app/_web/api'
import { answerNotFound, PageProblem } from '@/app/_web/page-read'
import { isMalformed, isMissing, type Problem } from '@/app/_web/problem'
import { findViewer } from '@/app/_web/viewer'
import type { ResponseOf } from '@/app/beak/_api/lines'
import { withBasePath } from '@/components/base-path'
import { QrCode } from '@/components/qr-code'
import { Sentence } from '@/components/sentence'
import { ButtonLink } from '@/components/ui/button'
import { CopyBlock } from '@/components/ui/copy'
import { Link } from '@/components/ui/link'
import { Facts, Notice } from '@/components/ui/surface'
import { Time } from '@/components/ui/time'
import { Verdict } from '@/components/verdict'
import { m } from '@/lib/kernel/messages'
import { actionLabel } from '@/lib/kernel/text/shown-action'
import { tierLabel } from '@/lib/kernel/text/tier-words'
import { AskedHead } from '../_favour/asked-head'
import { readAskDraft } from './draft'
import { CheckStep, CodeStep, FavourStep } from './steps'

type OpenInvitation = ResponseOf<'GET /beak/invitation/view'>

/** Returns what the holder of a link may know, or the refusal that says why the link does not work. Throws `PageProblem`. */
const readInvitation = cache(
  async (token: string): Promise<{ invitation: OpenInvitation } | { refusal: Problem | null }> => {
    const result = await api('GET /beak/invitation/view', { query: { token } })
    if (result.ok) return { invitation: result.data }
    const { problem } = result
    if (isMalformed(problem) || isMissing(problem)) return { refusal: null }
    if (problem.code === 'E4008') return { refusal: problem }
    throw new PageProblem(problem)
  },
)

interface PageProps {
  params: Promise<{ token: string }>
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

export const generateMetadata = withProblemTitle(async function generateMetadata({
  params,
}: PageProps): Promise<Metadata> {
  const { token } = await params
  const read = await readInvitation(token)
  // The person who gives the link away chooses who gets it, so search engines must not list it.
  const robots = { index: false }
  if (!('invitation' in read)) return { title: m.ask_page_not_working_title(), robots }
  const types = { 'application/json': withBasePath(`/beak/invitation/view?token=${token}`) }
  return { title: titleOf(read.invitation), robots, alternates: { types } }
})

const nameOf = ({ person }: OpenInvitation) => isolated(personName(person))
const titleOf = (invitation: OpenInvitation) => m.ask_page_title({ name: nameOf(invitation) })

/** The page of an invitation link: a person asks in a sentence, and a program finds how it asks. */
export default withProblemPage(async function InvitationPage({ params, searchParams }: PageProps) {
  const { token } = await params
  const read = await readInvitation(token)
  if (!('invitation' in read)) {
    answerNotFound()
    return (
      <div className="mx-auto grid max-w-3xl gap-8">
        <Verdict kind="unsure" title={read.refusal?.detail ?? m.ask_page_no_such_link()}>
          <p>{m.ask_page_get_new_link()}</p>
        </Verdict>
        <div>
          <ButtonLink href="/ask">{m.ask_how_page()}</ButtonLink>
        </div>
      </div>
    )
  }
  const { invitation } = read
  return (
    <div className="mx-auto grid max-w-xl gap-8">
      <Inviter invitation={invitation} />
      <Step invitation={invitation} token={token} given={await searchParams} />
    </div>
  )
})

/** Who is asked, on every step. */
function Inviter({ invitation }: { invitation: OpenInvitation }) {
  const { person } = invitation
  return (
    <AskedHead id={person.duckling_id} name={nameOf(invitation)}>
      {person.handle === undefined ? null : <bdi translate="no">@{person.handle}</bdi>}
      <span>{tierLabel(person.trust_tier)}</span>
    </AskedHead>
  )
}

interface StepOfPage {
  invitation: OpenInvitation
  token: string
  given: Record<string, string | string[] | undefined>
}

/** The step that the person is at: the sentence, who sends it, or the code. */
async function Step({ invitation, token, given }: StepOfPage) {
  const [viewer, draft] = [await findViewer(), await readAskDraft()]
  const to = nameOf(invitation)
  const isForPrograms = invitation.one_agent || (invitation.action !== null && !isFreeText(invitation.action))
  if (isForPrograms) return <ProgramsOnly invitation={invitation} isSignedIn={viewer !== null} />
  if (viewer?.duckling_id === invitation.person.duckling_id) return <OwnLink invitation={invitation} />
  if (draft !== null && given.step === 'code' && viewer?.email_verified !== true)
    if (viewer !== null || draft.email !== undefined)
      return <CodeStep token={token} to={to} draft={draft} viewer={viewer} />
  if (draft !== null && given.step !== undefined && viewer === null)
    return <CheckStep token={token} to={to} draft={draft} />
  return (
    <>
      <FavourStep
        token={token}
        to={to}
        draft={draft}
        viewer={viewer}
        isConfirmed={given.confirmed !== undefined}
      />
      <ForExperts title={m.shell_for_programs()} hint={m.ask_page_programs_lead()}>
        <ForPrograms invitation={invitation} />
      </ForExperts>
    </>
  )
}

/** A link that only a program can use. Whoever has no account asks for another link, because the page of the handle would send them to sign in. */
function ProgramsOnly({ invitation, isSignedIn }: { invitation: OpenInvitation; isSignedIn: boolean }) {
  const { action, one_agent: isForOneAgent, person, target } = invitation
  const handle = isSignedIn ? person.handle : undefined
  return (
    <>
      <p className="text-soft">
        {isForOneAgent || action === null ? (
          m.ask_link_one_program()
        ) : (
          <Sentence of={m.ask_link_one_action} with={{ action: actionLabel(action) }} />
        )}{' '}
        {handle === undefined ? <Sentence of={m.ask_other_link} with={{ name: nameOf(invitation) }} /> : null}
      </p>
      {handle === undefined ? null : (
        <div>
          <ButtonLink href={`/pecks/new?to=${encodeURIComponent(`@${handle}`)}`} kind="primary">
            <span className="wrap-anywhere">
              <Sentence of={m.ask_in_your_own_words} with={{ name: nameOf(invitation) }} />
            </span>
          </ButtonLink>
        </div>
      )}
      <ForExperts title={m.shell_for_programs()} hint={m.ask_page_programs_lead()}>
        {action === null || isForOneAgent ? null : (
          <ButtonLink href={`/pecks/new/action?${new URLSearchParams({ to: target, action })}`}>
            {m.ask_page_action_form()}
          </ButtonLink>
        )}
        <ForPrograms invitation={invitation} />
      </ForExperts>
    </>
  )
}

/** What the owner of the link sees in place of the form: nobody asks themselves. */
function OwnLink({ invitation }: { invitation: OpenInvitation }) {
  return (
    <>
      <Notice>{m.ask_own_link()}</Notice>
      <CopyBlock text={invitation.target} label={m.ask_page_link()} copyLabel={m.ask_page_copy()} />
      <p>
        <Link href="/invitations" className="inline-flex min-h-11 items-center font-semibold underline">
          {m.ask_own_links()}
        </Link>
      </p>
    </>
  )
}

/** How a program asks with the link. */
function ForPrograms({ invitation }: { invitation: OpenInvitation }) {
  const { target, action, person, expires_at: expiresAt, request_url: requestUrl } = invitation
  return (
    <div className="mt-4 grid gap-4">
      <CopyBlock text={target} label={m.ask_page_link()} copyLabel={m.ask_page_copy()} />
      <CopyBlock
        text={`beak ask ${target} ${action ?? 'read:calendar'} --wait`}
        label={m.ask_page_command()}
        copyLabel={m.ask_page_copy()}
        isExpanded
      />
      <QrCode text={target} label={m.ask_page_qr()} size={168} />
      <Facts
        facts={[
          {
            name: m.ask_page_may_be_asked(),
            value: action === null ? m.ask_page_any_action() : <code translate="no">{action}</code>,
          },
          { name: m.ask_page_certificate(), value: <CertificateLink certId={person.cert_id} /> },
          ...(expiresAt === null ? [] : [{ name: m.ask_page_works_until(), value: <Time at={expiresAt} /> }]),
          { name: m.ask_page_api(), value: <code translate="no">POST {requestUrl}</code> },
        ]}
      />
      <p className="max-w-prose text-sm text-soft">
        <Sentence
          of={m.ask_page_how_programs_ask}
          parts={{
            link: (children) => (
              <Link href="/docs/agents/existing-agent" className="text-accent underline">
                {children}
              </Link>
            ),
          }}
        />
      </p>
    </div>
  )
}

function CertificateLink({ certId }: { certId: string | null }) {
  if (certId === null) return m.ask_page_no_certificate()
  return (
    <Link href={`/verify/${certId}`} className="inline-flex min-h-6 items-center text-accent underline">
      <bdi translate="no">{certId}</bdi>
    </Link>
  )
}
