import { isolated, personName } from '@beak/decision/person-name'
import { quotedName } from '@beak/decision/quote'
import { BadgeCheck } from 'lucide'
import type { Metadata } from 'next'
import { cache } from 'react'
import { ForExperts } from '@/app/_shell/for-experts'
import { withProblemPage, withProblemTitle } from '@/app/_shell/problem-page'
import { answerNotFound, find } from '@/app/_web/page-read'
import { findViewer } from '@/app/_web/viewer'
import type { ResponseOf } from '@/app/beak/_api/lines'
import { Duck } from '@/components/duck'
import { Sentence } from '@/components/sentence'
import { ButtonLink } from '@/components/ui/button'
import { CopyBlock } from '@/components/ui/copy'
import { Icon } from '@/components/ui/icon'
import { Link } from '@/components/ui/link'
import { Facts, Notice, Pill, Section } from '@/components/ui/surface'
import { config } from '@/lib/kernel/config'
import { m } from '@/lib/kernel/messages'
import { tierLabel } from '@/lib/kernel/text/tier-words'
import { readersLocale } from '@/lib/kernel/text/time-words'
import NoSuchPerson from './not-found'

type Person = ResponseOf<'GET /beak/handle/view'>

/** Returns the person whom the viewer may see under a handle, once per page request, or null. Throws `PageProblem`. */
const findPerson = cache(
  async (handle: string): Promise<Person | null> =>
    find('GET /beak/handle/view', {
      query: { handle },
      // The API rejects an ended session even on an endpoint that needs none.
      ...((await findViewer()) === null ? { token: '' } : {}),
    }),
)

interface PageProps {
  params: Promise<{ handle: string }>
}

export const generateMetadata = withProblemTitle(async function generateMetadata({
  params,
}: PageProps): Promise<Metadata> {
  const person = await findPerson((await params).handle)
  if (person === null) return { title: m.people_no_such_handle(), robots: { index: false } }
  const { handle, listed } = person
  const name = isolated(personName(person))
  const title = `${name} (@${handle})`
  const description = m.people_ask_name_for_permission_at_beak({ name })
  return {
    title,
    description,
    alternates: { canonical: `/@${handle}` },
    ...(listed ? {} : { robots: { index: false } }),
    openGraph: { title, description, type: 'profile', siteName: 'Beak', url: `/@${handle}` },
    twitter: { card: 'summary', title, description },
  }
})

/** The public page of a person, at `/@handle` (a rewrite in next.config.mjs). */
export default withProblemPage(async function PersonPage({ params }: PageProps) {
  const person = await findPerson((await params).handle)
  if (person === null) {
    answerNotFound()
    return <NoSuchPerson />
  }
  const isSelf = (await findViewer())?.duckling_id === person.duckling_id
  return (
    <div className="mx-auto max-w-3xl">
      {person.listed ? null : <UnlistedNotice isSelf={isSelf} />}
      <Head person={person} />
      {isSelf ? <OwnPage /> : null}
      <AboutPerson person={person} />
      <Agents person={person} />
      {isSelf ? null : <Asking person={person} />}
    </div>
  )
})

function UnlistedNotice({ isSelf }: { isSelf: boolean }) {
  return (
    <div className="mb-8">
      <Notice>{isSelf ? m.people_unlisted_own_note() : m.people_unlisted_other_note()}</Notice>
    </div>
  )
}

function Head({ person }: { person: Person }) {
  return (
    <header className="mb-10 flex flex-wrap items-center gap-x-8 gap-y-4">
      <Duck id={person.duckling_id} size={128} />
      <div className="min-w-0">
        <h1 className="wrap-anywhere">
          <bdi translate="no">{personName(person)}</bdi>
        </h1>
        <p translate="no" className="mt-1 text-lg text-soft wrap-anywhere">
          @{person.handle}
        </p>
        <p className="mt-3 flex flex-wrap items-center gap-2">
          <Pill>{tierLabel(person.trust_tier)}</Pill>
          {person.certified ? (
            <Pill tone="good">
              <Icon of={BadgeCheck} size={14} />
              {m.people_certified()}
            </Pill>
          ) : null}
        </p>
      </div>
    </header>
  )
}

function OwnPage() {
  return (
    <p className="mb-10">
      <Sentence
        of={m.people_own_page_note}
        parts={{
          link: (children) => (
            <Link href="/profile#handle" className="text-accent underline">
              {children}
            </Link>
          ),
        }}
      />
    </p>
  )
}

const monthWords = (month: string) =>
  new Intl.DateTimeFormat(readersLocale(), { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    new Date(`${month}-01`),
  )

function AboutPerson({ person: { since, cert_id: certId, ...person } }: { person: Person }) {
  const certificate =
    certId === null ? (
      'none'
    ) : (
      <Link href={`/verify/${certId}`} className="inline-flex min-h-6 items-center text-accent underline">
        {m.people_check_certificate()}
      </Link>
    )
  return (
    <Section id="about" title={m.people_about()}>
      <Facts
        facts={[
          { name: m.people_member_since(), value: <time dateTime={since}>{monthWords(since)}</time> },
          { name: m.people_certificate(), value: certificate },
          {
            name: m.people_id(),
            value: (
              <code translate="no" className="wrap-anywhere">
                {person.duckling_id}
              </code>
            ),
          },
        ]}
      />
      <p className="mt-5 text-sm text-soft">{m.people_identity_note()}</p>
    </Section>
  )
}

function Agents({ person: { agents } }: { person: Person }) {
  return (
    <Section id="agents" title={m.people_agents()}>
      {agents.length === 0 ? (
        <p className="text-soft">{m.people_no_agents_yet()}</p>
      ) : (
        <ul className="grid gap-3 sm:grid-cols-2">
          {agents.map(({ agent_id: id, agent_name: name, agent_type: type }) => (
            <li key={id} className="flex items-center gap-4">
              <Duck id={id} size={52} />
              <div className="min-w-0">
                <Link
                  href={`/agents/${id}`}
                  className="inline-flex min-h-6 items-center font-semibold text-accent underline wrap-anywhere"
                >
                  <bdi translate="no">{quotedName(name)}</bdi>
                </Link>
                <p className="text-sm text-soft wrap-anywhere">
                  <bdi translate="no">{type}</bdi>
                </p>
              </div>
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}

function Asking({ person }: { person: Person }) {
  const target = `@${person.handle}`
  return (
    <Section id="ask" title={m.people_ask_for_permission()} lead={m.people_ask_section_intro()}>
      <ButtonLink href={`/pecks/new?to=${encodeURIComponent(target)}`} kind="primary">
        <span className="wrap-anywhere">
          <Sentence of={m.people_ask_person} with={{ person: personName(person) }} />
        </span>
      </ButtonLink>
      <div className="mt-6">
        <ForExperts title={m.shell_for_programs()} hint={m.people_ask_from_an_agent()}>
          <CopyBlock
            label={m.people_command()}
            isExpanded
            text={`curl ${config().baseUrl}/beak/peck/request \\
  -H "X-Beak-Key: $BEAK_KEY" -H 'Content-Type: application/json' \\
  -d '{"target_duckling_id": "${target}", "action": "read:calendar", "scope": "limited"}'`}
          />
        </ForExperts>
      </div>
    </Section>
  )
}
