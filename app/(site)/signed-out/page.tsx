import type { Metadata } from 'next'
import Link from 'next/link'
import { redirect } from 'next/navigation'
import { Duck } from '@/components/duck'
import { ButtonLink } from '@/components/ui/button'
import { WayIn } from '@/components/way-in'
import { findViewer } from '@/lib/web/viewer'

export const metadata: Metadata = { title: 'Signed out', robots: { index: false } }

/** After signing out. */
export default async function SignedOutPage() {
  if ((await findViewer()) !== null) redirect('/home')
  return (
    <WayIn
      title="You are signed out"
      lead="This session has ended, here and everywhere. Your agents keep their keys and go on asking; their pecks wait for you."
      picture={(size) => <Duck id="DUCK-M" size={size} />}
    >
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
        <ButtonLink href="/signin">Sign in again</ButtonLink>
        <Link href="/" className="inline-flex min-h-11 items-center text-sm font-semibold underline">
          To the front page
        </Link>
      </div>
    </WayIn>
  )
}
