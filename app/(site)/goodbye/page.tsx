import type { Metadata } from 'next'
import { notFound, redirect } from 'next/navigation'
import { withProblemPage } from '@/app/_shell/problem-page'
import { SignedOutTrace } from '@/app/_shell/session-trace'
import { findViewer } from '@/app/_web/viewer'
import { ClosingList, type Counts, partNames } from '@/app/(account)/account/closing-list'
import { ButtonLink } from '@/components/ui/button'
import { m } from '@/lib/kernel/messages'

export const generateMetadata = (): Metadata => ({ title: m.goodbye_goodbye(), robots: { index: false } })

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
        <h1>{m.goodbye_goodbye_and_safe_flight()}</h1>
        <p className="mt-3 max-w-xl text-soft">{m.goodbye_account_closed_body()}</p>
        <p className="mt-3 mb-8 max-w-xl text-soft">{m.goodbye_last_email_note()}</p>
        <ButtonLink href="/">{m.goodbye_go_to_the_front_page()}</ButtonLink>
      </div>
      <section aria-labelledby="gone">
        <h2 id="gone" className="mb-4 text-base">
          {m.goodbye_what_ended_with_it()}
        </h2>
        <ClosingList counts={counts} />
      </section>
    </div>
  )
})

function countIn(value: string | string[] | undefined): number {
  return typeof value === 'string' && /^\d{1,5}$/.test(value) ? Number(value) : 0
}
