import { isolated, personName } from '@beak/decision/person-name'
import type { Metadata } from 'next'
import { cache } from 'react'
import { withProblemPage, withProblemTitle } from '@/app/_shell/problem-page'
import { api } from '@/app/_web/api'
import { answerNotFound, PageProblem } from '@/app/_web/page-read'
import { isMalformed, isMissing, type Problem } from '@/app/_web/problem'
import { findViewer } from '@/app/_web/viewer'
import type { ResponseOf } from '@/app/beak/_api/lines'
import { withBasePath } from '@/components/base-path'
import { Duck } from '@/components/duck'
import { QrCode } from '@/components/qr-code'
import { Sentence } from '@/components/sentence'
import { ButtonLink } from '@/components/ui/button'
import { CopyBlock } from '@/components/ui/copy'
import { Link } from '@/components/ui/link'
import { Facts, Section } from '@/components/ui/surface'
import { Time } from '@/components/ui/time'
import { Verdict } from '@/components/verdict'
import { m } from '@/lib/kernel/messages'
import { actionLabel, isKnownAction } from '@/lib/kernel/text/shown-action'

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

/** The page of an invitation link: who invites, and how a person or a program asks. */
export default withProblemPage(async function InvitationPage({ params }: PageProps) {
  const { token } = await params
  const read = await readInvitation(token)
  if (!('invitation' in read)) {
    answerNotFound()
    return (
      <div className="mx-auto grid max-w-3xl gap-8">
        <Verdict kind="unsure" title={read.refusal?.detail ?? m.ask_page_no_such_link()}>
          <p>{m.ask_page_get_new_link()}</p>
        </Verdict>
      </div>
    )
  }
  const { invitation } = read
  const viewer = await findViewer()
  return (
    <div className="mx-auto grid max-w-3xl gap-10">
      <Inviter invitation={invitation} isSignedIn={viewer !== null} />
      <ForPrograms invitation={invitation} />
    </div>
  )
})

function Inviter({ invitation, isSignedIn }: { invitation: OpenInvitation; isSignedIn: boolean }) {
  const { person, action, one_agent: isForOneAgent, expires_at: expiresAt, target } = invitation
  return (
    <section className="grid gap-6 sm:grid-cols-[minmax(0,1fr)_auto]">
      <div className="grid min-w-0 gap-5">
        <header className="flex flex-wrap items-center gap-4">
          <Duck id={person.duckling_id} size={72} />
          <div className="min-w-0">
            <h1 className="wrap-anywhere">
              <Sentence of={m.ask_page_title} with={{ name: nameOf(invitation) }} />
            </h1>
            {person.handle === undefined ? null : (
              <p translate="no" className="text-soft">
                @{person.handle}
              </p>
            )}
          </div>
        </header>
        <p className="max-w-prose">
          <Sentence of={m.ask_page_lead} with={{ name: nameOf(invitation) }} />
        </p>
        <Facts
          facts={[
            { name: m.ask_page_tier(), value: person.trust_tier },
            { name: m.ask_page_certificate(), value: <CertificateLink certId={person.cert_id} /> },
            {
              name: m.ask_page_may_be_asked(),
              value: action === null ? m.ask_page_any_action() : <NamedAction action={action} />,
            },
            ...(isForOneAgent ? [{ name: m.ask_page_who(), value: m.ask_page_one_agent() }] : []),
            ...(expiresAt === null
              ? []
              : [{ name: m.ask_page_works_until(), value: <Time at={expiresAt} /> }]),
          ]}
        />
        {isForOneAgent ? null : (
          <div className="flex flex-wrap gap-3">
            <ButtonLink kind="primary" href={requestPath(target, action)}>
              {isSignedIn ? m.ask_new_request() : m.ask_page_sign_in_to_ask()}
            </ButtonLink>
          </div>
        )}
      </div>
      <QrCode text={target} label={m.ask_page_qr()} size={168} />
    </section>
  )
}

/** An action in words, and its name in the API when the words are others. */
function NamedAction({ action }: { action: string }) {
  const label = actionLabel(action, 'their')
  if (!isKnownAction(action)) return label
  return (
    <>
      {label}{' '}
      <code translate="no" className="text-xs text-soft">
        {action}
      </code>
    </>
  )
}

/** The form for a new request, which leads a person without a session to the sign-in first. */
const requestPath = (to: string, action: string | null) =>
  `/pecks/new?${new URLSearchParams({ to, ...(action === null ? {} : { action }) })}`

function CertificateLink({ certId }: { certId: string | null }) {
  if (certId === null) return m.ask_page_no_certificate()
  return (
    <Link href={`/verify/${certId}`} className="inline-flex min-h-6 items-center text-accent underline">
      <bdi translate="no">{certId}</bdi>
    </Link>
  )
}

function ForPrograms({ invitation: { target, action } }: { invitation: OpenInvitation }) {
  return (
    <Section id="programs" title={m.ask_page_for_programs()} lead={m.ask_page_programs_lead()}>
      <div className="grid gap-4">
        <CopyBlock text={target} label={m.ask_page_link()} copyLabel={m.ask_page_copy()} />
        <CopyBlock
          text={`beak ask ${target} ${action ?? 'read:calendar'} --wait`}
          label={m.ask_page_command()}
          copyLabel={m.ask_page_copy()}
          isExpanded
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
    </Section>
  )
}
