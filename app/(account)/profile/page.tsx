import type { Metadata } from 'next'
import { withProblemPage } from '@/app/_shell/problem-page'
import { viewerHasPasskey } from '@/app/_web/passkeys'
import { requireViewer, type Viewer } from '@/app/_web/viewer'
import { Duck } from '@/components/duck'
import { QrCode } from '@/components/qr-code'
import { CopyButton } from '@/components/ui/copy'
import { ActionForm } from '@/components/ui/form'
import { Link } from '@/components/ui/link'
import { SplitSection } from '@/components/ui/split-section'
import { PageHead, Pill } from '@/components/ui/surface'
import { Time } from '@/components/ui/time'
import { config } from '@/lib/kernel/config'
import { personName } from '@/lib/kernel/text/person-name'
import { changeEmail } from './actions'
import { Eggs } from './eggs'
import { EmailSteps } from './email-steps'
import { AboutForm, NameForm, RequestForm } from './forms'
import { HandleSection } from './handle-form'

export const metadata: Metadata = { title: 'Profile', robots: { index: false } }

export default withProblemPage(async function ProfilePage() {
  const viewer = await requireViewer('/profile')
  const hasPasskey = await viewerHasPasskey()
  return (
    <>
      <PageHead title="Profile" lead="Your name, your email, and who may ask you for permission." />
      <Identity viewer={viewer} />
      <SplitSection id="name" title="Name" lead="Everyone you deal with sees your name.">
        <NameForm viewer={viewer} />
      </SplitSection>
      <SplitSection
        id="handle"
        title="Handle"
        lead="A name like @mallard that only you have. People find you with it and ask you for permission. You can change it twice a year."
      >
        <HandleSection viewer={viewer} />
      </SplitSection>
      <SplitSection id="about" title="About you" lead="A few words, and whether strangers can find you.">
        <AboutForm viewer={viewer} />
      </SplitSection>
      <SplitSection id="pecks" title="Requests" lead="Who may ask you for permission, and how you approve.">
        <RequestForm viewer={viewer} hasPasskey={hasPasskey} />
      </SplitSection>
      <SplitSection
        id="email"
        title="Email"
        lead={
          <>
            Codes and notices go to{' '}
            <strong className="font-medium text-ink wrap-anywhere">{viewer.email}</strong>.{' '}
            <Link href="/notifications" className="underline">
              Choose which requests we mail you about
            </Link>
            .
          </>
        }
      >
        <ActionForm action={changeEmail} label="Change your email address">
          <EmailSteps />
        </ActionForm>
      </SplitSection>
      <SplitSection
        id="eggs"
        title="Eggs"
        lead="Share your link. When somebody signs up with it and confirms their email, you lay an egg."
      >
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
            <bdi>{personName(viewer)}</bdi>
          </span>
          <Pill tone="good">{viewer.trust_tier}</Pill>
        </p>
        {viewer.full_name === null ? null : (
          <p className="mt-1 text-sm text-soft wrap-anywhere">Display name: {viewer.display_name}</p>
        )}
        {viewer.handle === null ? null : <p className="mt-1 text-soft wrap-anywhere">@{viewer.handle}</p>}
        <p className="mt-1.5 font-mono text-xs text-soft wrap-anywhere">{viewer.duckling_id}</p>
        <p className="mt-1 text-sm text-soft">
          Joined <Time at={viewer.created_at} dateOnly />
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
          <span className="text-sm text-soft">{viewer.egg_count === 1 ? 'egg so far' : 'eggs so far'}</span>
        </p>
      </div>
      <div className="flex flex-wrap items-start gap-x-7 gap-y-5">
        <QrCode text={link} label="QR code of your sign-up link" size={132} />
        <div className="min-w-0 flex-1 basis-52">
          <p className="text-sm text-soft">Your referral code</p>
          <p className="font-mono text-xl font-semibold tracking-wider">{viewer.referral_code}</p>
          <p className="mt-2 mb-4 font-mono text-xs text-soft wrap-anywhere">{link}</p>
          <CopyButton text={link} label="Copy link" />
        </div>
      </div>
    </div>
  )
}
