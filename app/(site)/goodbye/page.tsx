import type { Metadata } from 'next'
import { notFound, redirect } from 'next/navigation'
import { withProblemPage } from '@/app/_shell/problem-page'
import { SignedOutTrace } from '@/app/_shell/session-trace'
import { findViewer } from '@/app/_web/viewer'
import { ClosingList, type Counts, partNames } from '@/app/(account)/account/closing-list'
import { ButtonLink } from '@/components/ui/button'

export const metadata: Metadata = { title: 'Goodbye', robots: { index: false } }

interface PageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

/** Confirms that an account was closed, and lists what ended with it. Takes only numbers from the address. */
export default withProblemPage(async function GoodbyePage({ searchParams }: PageProps) {
  const given = await searchParams
  if (partNames.every((name) => given[name] === undefined)) notFound()
  if ((await findViewer()) !== null) redirect('/account')
  const counts: Counts = Object.fromEntries(partNames.map((name) => [name, countIn(given[name])]))
  return (
    <div className="grid max-w-4xl gap-x-16 gap-y-10 md:grid-cols-[minmax(0,1fr)_18rem]">
      <div>
        <SignedOutTrace />
        <h1>Goodbye, and safe flight</h1>
        <p className="mt-3 max-w-xl text-soft">
          Your account is closed. We have erased your name, email and phone number. Everything that depended
          on the account has ended, and the people and agents that waited for your answer have been notified.
        </p>
        <p className="mt-3 mb-8 max-w-xl text-soft">
          If your email was confirmed, we have sent you a last email about this. You are welcome back any
          time.
        </p>
        <ButtonLink href="/">Go to the front page</ButtonLink>
      </div>
      <section aria-labelledby="gone">
        <h2 id="gone" className="mb-4 text-base">
          What ended with it
        </h2>
        <ClosingList counts={counts} />
      </section>
    </div>
  )
})

function countIn(value: string | string[] | undefined): number {
  return typeof value === 'string' && /^\d{1,5}$/.test(value) ? Number(value) : 0
}
