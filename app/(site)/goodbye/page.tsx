import type { Metadata } from 'next'
import { notFound, redirect } from 'next/navigation'
import { findViewer } from '@/app/_web/viewer'
import { ClosingList, type Counts, partNames } from '@/components/closing-list'
import { withProblemPage } from '@/components/problem-page'
import { ButtonLink } from '@/components/ui/button'

export const metadata: Metadata = { title: 'Goodbye', robots: { index: false } }

interface PageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

/** After an account was closed: what went with it. The numbers come from the address, so they are only ever numbers. */
export default withProblemPage(async function GoodbyePage({ searchParams }: PageProps) {
  const given = await searchParams
  if (partNames.every((name) => given[name] === undefined)) notFound()
  if ((await findViewer()) !== null) redirect('/account')
  const counts: Counts = Object.fromEntries(partNames.map((name) => [name, countIn(given[name])]))
  return (
    <div className="grid max-w-4xl gap-x-16 gap-y-10 md:grid-cols-[minmax(0,1fr)_18rem]">
      <div>
        <h1>Goodbye, and safe flight</h1>
        <p className="mt-3 max-w-xl text-soft">
          Your account is closed. Your name, your address and your number are erased. What rested on the
          account went with it, and whoever was waiting for you has been told.
        </p>
        <p className="mt-3 mb-8 max-w-xl text-soft">
          If your e-mail was confirmed, a last mail says the same. You are welcome back any time.
        </p>
        <ButtonLink href="/">To the front page</ButtonLink>
      </div>
      <section aria-labelledby="gone">
        <h2 id="gone" className="mb-4 text-base">
          What went with it
        </h2>
        <ClosingList counts={counts} />
      </section>
    </div>
  )
})

function countIn(value: string | string[] | undefined): number {
  return typeof value === 'string' && /^\d{1,5}$/.test(value) ? Number(value) : 0
}
