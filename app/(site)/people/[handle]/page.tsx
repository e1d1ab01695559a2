import { BadgeCheck } from 'lucide-react'
import type { Metadata } from 'next'
import { withProblemPage, withProblemTitle } from '@/app/_shell/problem-page'
import { answerNotFound } from '@/app/_web/answer-not-found'
import { findViewer } from '@/app/_web/viewer'
import { Duck } from '@/components/duck'
import { ButtonLink } from '@/components/ui/button'
import { CopyBlock } from '@/components/ui/copy'
import { Link } from '@/components/ui/link'
import { Facts, Notice, Pill, Section } from '@/components/ui/surface'
import { config } from '@/lib/kernel/config'
import { isolated, personName } from '@/lib/kernel/text/person-name'
import { findPerson, type Person } from './find-person'
import NoSuchPerson from './not-found'

interface PageProps {
  params: Promise<{ handle: string }>
}

export const generateMetadata = withProblemTitle(async function generateMetadata({
  params,
}: PageProps): Promise<Metadata> {
  const person = await findPerson((await params).handle)
  if (person === null) return { title: 'No such handle', robots: { index: false } }
  const { handle, listed } = person
  const name = isolated(personName(person))
  const title = `${name} (@${handle})`
  const description = `Ask ${name} for permission at Beak.`
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
      <Notice>
        {isSelf
          ? 'You are not listed in the directory. Only you and people whose requests you have answered see this page.'
          : 'Not listed in the directory. You see this page because you got an answer from this person.'}
      </Notice>
    </div>
  )
}

function Head({ person }: { person: Person }) {
  return (
    <header className="mb-10 flex flex-wrap items-center gap-x-8 gap-y-4">
      <Duck id={person.duckling_id} size={128} />
      <div className="min-w-0">
        <h1 className="wrap-anywhere">
          <bdi>{personName(person)}</bdi>
        </h1>
        <p className="mt-1 text-lg text-soft wrap-anywhere">@{person.handle}</p>
        <p className="mt-3 flex flex-wrap items-center gap-2">
          <Pill>{person.trust_tier}</Pill>
          {person.certified ? (
            <Pill tone="good">
              <BadgeCheck aria-hidden="true" size={14} />
              Certified
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
      This is what others see.{' '}
      <Link href="/profile#handle" className="text-accent underline">
        Change your handle
      </Link>
    </p>
  )
}

const month = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' })

function AboutPerson({
  person: { since, trust_tier: tier, cert_id: certId, ...person },
}: {
  person: Person
}) {
  const certificate =
    certId === null ? (
      'none'
    ) : (
      <Link href={`/verify/${certId}`} className="inline-flex min-h-6 items-center text-accent underline">
        Check certificate
      </Link>
    )
  return (
    <Section id="about" title="About">
      <Facts
        facts={[
          { name: 'Member since', value: month.format(new Date(`${since}-01`)) },
          { name: 'Trust tier', value: `${tier}: ${tierWords[tier]}` },
          { name: 'Certificate', value: certificate },
          { name: 'ID', value: <code className="wrap-anywhere">{person.duckling_id}</code> },
        ]}
      />
      <p className="mt-5 text-sm text-soft">
        Names are chosen freely. The handle belongs to one person at a time, and the ID never changes.
      </p>
    </Section>
  )
}

const tierWords: Record<Person['trust_tier'], string> = {
  T0: 'signed up',
  T1: 'confirmed email',
  T2: 'confirmed email and phone',
  T3: 'confirmed email and phone, and a passkey',
}

function Agents({ person: { agents } }: { person: Person }) {
  return (
    <Section id="agents" title="Agents">
      {agents.length === 0 ? (
        <p className="text-soft">No agents yet.</p>
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
                  <bdi>{name}</bdi>
                </Link>
                <p className="text-sm text-soft wrap-anywhere">
                  <bdi>{type}</bdi>
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
    <Section
      id="ask"
      title="Ask for permission"
      lead="The request shows who you are and exactly what you ask for. You get an answer, or the request expires."
    >
      <ButtonLink href={`/pecks/new?to=${encodeURIComponent(target)}`} kind="primary">
        <span className="wrap-anywhere">
          Ask <bdi>{personName(person)}</bdi>
        </span>
      </ButtonLink>
      <div className="mt-6">
        <CopyBlock
          label="Ask from an agent"
          isExpanded
          text={`curl ${config().baseUrl}/beak/peck/request \\
  -H "X-Beak-Key: $BEAK_KEY" -H 'Content-Type: application/json' \\
  -d '{"target_duckling_id": "${target}", "action": "read:calendar", "scope": "limited"}'`}
        />
      </div>
    </Section>
  )
}
