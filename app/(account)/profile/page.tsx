import type { Metadata } from 'next'
import { withProblemPage } from '@/app/_shell/problem-page'
import { viewerHasPasskey } from '@/app/_web/passkeys'
import { read } from '@/app/_web/read'
import { requireViewer, type Viewer } from '@/app/_web/viewer'
import { Duck } from '@/components/duck'
import { QrCode } from '@/components/qr-code'
import { Sentence } from '@/components/sentence'
import { Announcements, UntilAnnounced } from '@/components/ui/announcements'
import { CopyButton } from '@/components/ui/copy'
import { ActionForm } from '@/components/ui/form'
import { Link } from '@/components/ui/link'
import { SplitSection } from '@/components/ui/split-section'
import { PageHead, Pill } from '@/components/ui/surface'
import { Time } from '@/components/ui/time'
import { config } from '@/lib/kernel/config'
import { m } from '@/lib/kernel/messages'
import { personName } from '@/lib/kernel/text/person-name'
import { changeEmail } from './actions'
import { Eggs } from './eggs'
import { EmailSteps } from './email-steps'
import { AboutForm, NameForm, RequestForm, TakeBackNames } from './forms'
import { HandleSection } from './handle-form'

export const generateMetadata = (): Metadata => ({ title: m.profile_profile(), robots: { index: false } })

export default withProblemPage(async function ProfilePage() {
  const viewer = await requireViewer('/profile')
  const [hasPasskey, { change }] = await Promise.all([viewerHasPasskey(), read('GET /beak/name-change')])
  return (
    <>
      <PageHead title={m.profile_profile()} lead={m.profile_your_name_your_email_who_may()} />
      <Identity viewer={viewer} />
      <SplitSection id="name" title={m.profile_name()} lead={m.profile_everyone_you_deal_with_sees_your()}>
        <Announcements>
          <div className="grid gap-6">
            <UntilAnnounced>
              <NameForm viewer={viewer} />
            </UntilAnnounced>
            {change === null ? null : <TakeBackNames change={change} />}
          </div>
        </Announcements>
      </SplitSection>
      <SplitSection id="handle" title={m.profile_handle()} lead={m.profile_name_like_mallard_that_only_you()}>
        <HandleSection viewer={viewer} />
      </SplitSection>
      <SplitSection
        id="about"
        title={m.profile_about_you()}
        lead={m.profile_few_words_whether_strangers_can_find()}
      >
        <AboutForm viewer={viewer} />
      </SplitSection>
      <SplitSection id="pecks" title={m.profile_requests()} lead={m.profile_who_may_ask_you_for_permission()}>
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
      </SplitSection>
      <SplitSection
        id="email"
        title={m.profile_email()}
        lead={
          <Sentence
            of={m.profile_codes_notices_go_choose_which_requests}
            parts={{
              email: () => viewer.email,
              strong: (children) => (
                <strong className="font-medium text-ink wrap-anywhere">{children}</strong>
              ),
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
      </SplitSection>
      <SplitSection id="eggs" title={m.profile_eggs()} lead={m.profile_share_your_link_when_somebody_signs()}>
        <Referral viewer={viewer} />
      </SplitSection>
    </>
  )
})

function Identity({ viewer }: { viewer: Viewer }) {
  return (
    <div className="mb-9 flex flex-wrap items-center gap-x-7 gap-y-4">
      <Duck id={viewer.duckling_id} size={112} />
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-4 gap-y-1">
          <span className="font-display text-2xl font-semibold tracking-tight wrap-anywhere">
            <bdi translate="no">{personName(viewer)}</bdi>
          </span>
          <Pill tone="good">{viewer.trust_tier}</Pill>
        </p>
        {viewer.full_name === null ? null : (
          <p className="mt-1 text-sm text-soft wrap-anywhere">
            {m.profile_display_name_display_name({ display_name: viewer.display_name })}
          </p>
        )}
        {viewer.handle === null ? null : <p className="mt-1 text-soft wrap-anywhere">@{viewer.handle}</p>}
        <p className="mt-1.5 font-mono text-xs text-soft wrap-anywhere">{viewer.duckling_id}</p>
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

function Referral({ viewer }: { viewer: Viewer }) {
  const link = `${config().baseUrl}/signup?ref=${viewer.referral_code}`
  return (
    <div className="grid gap-8">
      <div className="flex flex-wrap items-center gap-x-7 gap-y-4">
        <Eggs id={viewer.duckling_id} count={viewer.egg_count} />
        <p>
          <span className="block font-display text-2xl font-semibold tabular-nums">{viewer.egg_count}</span>
          <span className="text-sm text-soft">{m.profile_eggs_so_far({ count: viewer.egg_count })}</span>
        </p>
      </div>
      <div className="flex flex-wrap items-start gap-x-7 gap-y-5">
        <QrCode text={link} label={m.profile_qr_code_your_sign_up_link()} size={132} />
        <div className="min-w-0 flex-1 basis-52">
          <p className="text-sm text-soft">{m.profile_your_referral_code()}</p>
          <p className="font-mono text-xl font-semibold tracking-wider">{viewer.referral_code}</p>
          <p className="mt-2 mb-4 font-mono text-xs text-soft wrap-anywhere">{link}</p>
          <CopyButton text={link} label={m.profile_copy_link()} />
        </div>
      </div>
    </div>
  )
}
