import type { Metadata } from 'next'
import { wait } from '@/app/_web/form'
import { nextPath } from '@/app/_web/local-path'
import { withProblemPage } from '@/components/problem-page'
import { ButtonLink } from '@/components/ui/button'
import { answerWith } from '@/lib/http/page-status'

export const metadata: Metadata = { title: 'No download', robots: { index: false } }

interface PageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

interface Reason {
  status: number
  text: string
  /** Where the page leads besides back; `from` is the page with the download. */
  signIn?: boolean
}

const reasons: Record<string, Reason> = {
  passkey: {
    status: 403,
    text: 'This download needs a confirmation with your passkey in the last 10 minutes. Confirming needs JavaScript, and so does signing in with a passkey. Turn JavaScript on in your browser, then download again.',
  },
  fresh_sign_in: {
    status: 403,
    text: 'This download needs a sign-in in the last 10 minutes. Sign in again, then download again.',
    signIn: true,
  },
  missing: { status: 404, text: 'There is no such file, or it is not yours.' },
  other: { status: 503, text: 'Beak could not make the file just now. Try again in a minute.' },
}

function reasonFor(why: unknown, seconds: number): Reason {
  if (why === 'limited')
    return {
      status: 429,
      text: `Beak got more requests from you than it accepts at once. Try again ${wait(seconds)}.`,
    }
  const found = typeof why === 'string' && Object.hasOwn(reasons, why) ? reasons[why] : undefined
  return found ?? { status: 404, text: 'There is no such file, or it is not yours.' }
}

/** Why a download that a link led to gave no file. Drawn by the server, for browsers without scripts. */
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
