import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { signOut } from '@/app/_shell/actions'
import { withProblemPage } from '@/app/_shell/problem-page'
import { SignedOutTrace } from '@/app/_shell/session-trace'
import { wait } from '@/app/_web/form'
import { sessionToken } from '@/app/_web/session-cookie'
import { findViewer } from '@/app/_web/viewer'
import { Duck } from '@/components/duck'
import { PicturePage } from '@/components/picture-page'
import { ButtonLink } from '@/components/ui/button'
import { Link } from '@/components/ui/link'
import { PlainForm } from '@/components/ui/plain-form'
import { SubmitButton } from '@/components/ui/submit-button'
import { m } from '@/lib/kernel/messages'

export const generateMetadata = (): Metadata => ({ title: m.signin_signed_out(), robots: { index: false } })

interface PageProps {
  /** `wait`: the sign-out failed, and can be tried again after this many seconds. */
  searchParams: Promise<{ wait?: string | string[] }>
}

/** Confirms a sign-out, or says that it failed. */
export default withProblemPage(async function SignedOutPage({ searchParams }: PageProps) {
  const seconds = Number((await searchParams).wait)
  if (seconds > 0 && (await sessionToken()) !== null) return <StillSignedIn seconds={seconds} />
  if ((await findViewer()) !== null) redirect('/home')
  return (
    <PicturePage
      title={m.signin_you_are_signed_out()}
      lead={m.signin_signed_out_body()}
      picture={(size) => <Duck id="DUCK-M" size={size} />}
    >
      <SignedOutTrace />
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
        <ButtonLink href="/signin">{m.signin_sign_in_again()}</ButtonLink>
        <Link href="/" className="inline-flex min-h-11 items-center text-sm font-semibold underline">
          {m.signin_go_to_the_front_page()}
        </Link>
      </div>
    </PicturePage>
  )
})

function StillSignedIn({ seconds }: { seconds: number }) {
  return (
    <PicturePage
      title={m.signin_you_are_still_signed_in()}
      lead={m.signin_sign_out_failed({ wait: wait(Math.ceil(seconds)) })}
      picture={(size) => <Duck id="DUCK-M" size={size} />}
    >
      <PlainForm action={signOut} countsOnce={false}>
        <SubmitButton>{m.signin_sign_out()}</SubmitButton>
      </PlainForm>
    </PicturePage>
  )
}
