import { personName } from '@beak/decision/person-name'
import type { Metadata } from 'next'
import { BuildersOnly } from '@/app/_shell/builders-only'
import { withProblemPage } from '@/app/_shell/problem-page'
import { read } from '@/app/_web/page-read'
import { viewerHasPasskey } from '@/app/_web/passkeys'
import { requireViewer, type Viewer } from '@/app/_web/viewer'
import { Duck } from '@/components/duck'
import { Sentence } from '@/components/sentence'
import { Announcements, UntilAnnounced } from '@/components/ui/announcements'
import { FoldedSection } from '@/components/ui/folded-section'
import { ActionForm } from '@/components/ui/form'
import { Link } from '@/components/ui/link'
import { PageHead, Pill } from '@/components/ui/surface'
import { Time } from '@/components/ui/time'
import { m } from '@/lib/kernel/messages'
import { tierLabel } from '@/lib/kernel/text/tier-words'
import { changeEmail } from './actions'
import { EmailSteps } from './email-steps'
import { AboutForm, NameForm, RequestForm, TakeBackNames, tierChoices } from './forms'
import { HandleSection } from './handle-form'

export const generateMetadata = (): Metadata => ({ title: m.profile_profile(), robots: { index: false } })

export default withProblemPage(async function ProfilePage() {
  const viewer = await requireViewer('/profile')
  const [hasPasskey, { change }] = await Promise.all([viewerHasPasskey(), read('GET /beak/name-change')])
  return (
    <>
      <PageHead title={m.profile_profile()} lead={m.profile_page_intro()} />
      <Identity viewer={viewer} />
      <FoldedSection
        id="name"
        title={m.profile_name()}
        state={<bdi translate="no">{personName(viewer)}</bdi>}
        lead={m.profile_name_section_intro()}
      >
        <Announcements>
          <div className="grid gap-6">
            <UntilAnnounced>
              <NameForm viewer={viewer} />
            </UntilAnnounced>
            {change === null ? null : <TakeBackNames change={change} viewer={viewer} />}
          </div>
        </Announcements>
      </FoldedSection>
      <FoldedSection
        id="handle"
        title={m.profile_handle()}
        state={viewer.handle === null ? m.profile_none() : <bdi translate="no">@{viewer.handle}</bdi>}
        lead={<Sentence of={m.profile_name_like_mallard_that_only_you} with={{ handle: 'mallard' }} />}
      >
        <HandleSection viewer={viewer} />
      </FoldedSection>
      <FoldedSection id="about" title={m.profile_about_you()} state={aboutWords(viewer)}>
        <AboutForm viewer={viewer} />
      </FoldedSection>
      <FoldedSection id="pecks" title={m.profile_who_may_send_you_requests()} state={askersWords(viewer)}>
        <RequestForm viewer={viewer} hasPasskey={hasPasskey} />
        <p className="mt-5 max-w-prose text-sm text-soft">
          <Sentence
            of={m.profile_how_others_ask}
            with={{ who: viewer.handle === null ? viewer.duckling_id : `@${viewer.handle}` }}
            parts={{
              code: (children) => (
                <code translate="no" className="wrap-anywhere">
                  {children}
                </code>
              ),
              link: (children) => (
                <Link href="/invitations" className="underline">
                  {children}
                </Link>
              ),
            }}
          />
        </p>
      </FoldedSection>
      <FoldedSection
        id="email"
        title={m.profile_email()}
        state={<bdi translate="no">{viewer.email}</bdi>}
        lead={
          <Sentence
            of={m.profile_email_section_intro}
            parts={{
              link: (children) => (
                <Link href="/notifications" className="underline">
                  {children}
                </Link>
              ),
            }}
          />
        }
      >
        <ActionForm action={changeEmail} label={m.profile_change_your_email_address()}>
          <EmailSteps />
        </ActionForm>
      </FoldedSection>
    </>
  )
})

/** Whether strangers can find the person. */
const aboutWords = (viewer: Viewer) =>
  viewer.directory_visible ? m.profile_in_directory() : m.profile_not_in_directory()

/** Who may ask, and how the person approves. */
function askersWords({ min_peck_tier: tier, require_passkey_for_pecks: isRequired }: Viewer): string {
  const who = tierChoices[tier]()
  return isRequired ? `${who}. ${m.profile_passkey_for_each()}` : who
}

function Identity({ viewer }: { viewer: Viewer }) {
  return (
    <div className="mb-9 flex flex-wrap items-center gap-x-7 gap-y-4">
      <Duck id={viewer.duckling_id} size={112} />
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-4 gap-y-1">
          <span className="font-display text-2xl font-semibold tracking-tight wrap-anywhere">
            <bdi translate="no">{personName(viewer)}</bdi>
          </span>
          <Pill tone="good">{tierLabel(viewer.trust_tier)}</Pill>
        </p>
        {viewer.handle === null ? null : (
          <p translate="no" className="mt-1 text-soft wrap-anywhere">
            @{viewer.handle}
          </p>
        )}
        <BuildersOnly>
          <p translate="no" className="mt-1.5 font-mono text-xs text-soft wrap-anywhere">
            {viewer.duckling_id}
          </p>
        </BuildersOnly>
        <p className="mt-1 text-sm text-soft">
          <Sentence
            of={m.profile_joined_on}
            parts={{ day: () => <Time at={viewer.created_at} dateOnly /> }}
          />
        </p>
      </div>
    </div>
  )
}
