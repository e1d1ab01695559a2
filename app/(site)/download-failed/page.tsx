import type { Metadata } from 'next'
import { withProblemPage } from '@/app/_shell/problem-page'
import { wait } from '@/app/_web/form'
import { nextPath } from '@/app/_web/local-path'
import { ButtonLink } from '@/components/ui/button'
import { answerWith } from '@/lib/http/page-errors'
import { m } from '@/lib/kernel/messages'

export const generateMetadata = (): Metadata => ({
  title: m.download_download_failed(),
  robots: { index: false },
})

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
    get text() {
      return m.download_failed_passkey_needed()
    },
  },
  fresh_sign_in: {
    status: 403,
    get text() {
      return m.download_failed_sign_in_needed()
    },
    signIn: true,
  },
  missing: {
    status: 404,
    get text() {
      return m.download_failed_not_found()
    },
  },
  other: {
    status: 503,
    get text() {
      return m.download_failed_server_error()
    },
  },
}

function reasonFor(why: unknown, seconds: number): Reason {
  if (why === 'limited')
    return {
      status: 429,
      text: m.download_failed_rate_limited({ seconds: wait(seconds) }),
    }
  const found = typeof why === 'string' && Object.hasOwn(reasons, why) ? reasons[why] : undefined
  return found ?? { status: 404, text: m.download_failed_not_found() }
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
      <h1>{m.download_your_file_was_not_downloaded()}</h1>
      <p className="mt-3 text-soft">{text}</p>
      <div className="mt-6 flex flex-wrap gap-3">
        {signIn ? (
          <ButtonLink href={`/signin?${new URLSearchParams({ reason: 'fresh', next: from })}`} kind="primary">
            {m.download_sign_in_again()}
          </ButtonLink>
        ) : null}
        <ButtonLink href={from}>{m.download_go_back()}</ButtonLink>
      </div>
    </div>
  )
})
