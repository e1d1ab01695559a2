'use client'

import { Mark } from '@/components/duck'
import { Trouble } from '@/components/trouble'

/** When not even the surroundings of a page can be shown. */
export default function ErrorPage(props: { error: unknown; retry: () => void }) {
  return (
    <main id="main" className="mx-auto w-full max-w-6xl px-5 py-4">
      {/* A whole new page, whatever state this one is in. */}
      <a
        href="/"
        className="mb-10 inline-flex min-h-11 items-center gap-2 font-display text-xl font-bold tracking-tight no-underline"
      >
        <Mark />
        Beak
      </a>
      <Trouble {...props} />
    </main>
  )
}
