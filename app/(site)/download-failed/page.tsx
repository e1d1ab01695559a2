import type { Metadata } from 'next'
import { withProblemPage } from '@/app/_shell/problem-page'
import { wait } from '@/app/_web/form'
import { nextPath } from '@/app/_web/local-path'
import { ButtonLink } from '@/components/ui/button'
import { answerWith } from '@/lib/http/page-status'

export const metadata: Metadata = { title: 'Download failed', robots: { index: false } }

interface PageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

interface Reason {
  status: number
  text: string
  /** Whether the page links to the sign-in. */
  signIn?: boolean
}

const reasons: Record<string, Reason> = {
  passkey: {
    status: 403,
    text: 'This download needs a confirmation with your passkey in the last 10 minutes, and passkeys need JavaScript. Turn JavaScript on in your browser, then download again.',
  },
  fresh_sign_in: {
    status: 403,
    text: 'This download needs a sign-in in the last 10 minutes. Sign in again, then download again.',
    signIn: true,
  },
  missing: { status: 404, text: "This file doesn't exist, or it isn't yours." },
  other: { status: 503, text: "Beak couldn't create the file just now. Try again in a minute." },
}

function reasonFor(why: unknown, seconds: number): Reason {
  if (why === 'limited')
    return {
      status: 429,
      text: `Beak got more requests from you than it accepts at once. Try again ${wait(seconds)}.`,
    }
  const found = typeof why === 'string' && Object.hasOwn(reasons, why) ? reasons[why] : undefined
  return found ?? { status: 404, text: "This file doesn't exist, or it isn't yours." }
}

/** Explains why a download failed. For browsers without JavaScript: with it, the page with the link shows the reason. */
export default withProblemPage(async function DownloadFailedPage({ searchParams }: PageProps) {
  const given = await searchParams
  const from = nextPath(given.from)
  const seconds = Math.min(86_400, Math.max(1, Math.ceil(Number(given.wait) || 60)))
  const { status, text, signIn } = reasonFor(given.why, seconds)
  answerWith(status, status === 429 ? seconds : undefined)
  return (
    <div className="max-w-xl">
      <h1>Your file was not downloaded</h1>
      <p className="mt-3 text-soft">{text}</p>
      <div className="mt-6 flex flex-wrap gap-3">
        {signIn ? (
          <ButtonLink href={`/signin?${new URLSearchParams({ reason: 'fresh', next: from })}`} kind="primary">
            Sign in again
          </ButtonLink>
        ) : null}
        <ButtonLink href={from}>Go back</ButtonLink>
      </div>
    </div>
  )
})
