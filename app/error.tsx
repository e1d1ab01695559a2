'use client'

import { withBasePath } from '@/components/base-path'
import { m } from '@/lib/kernel/messages'

/** Replaces a page when its layout fails, too. Uses plain elements only, because any component could be the cause. */
export default function ErrorPage() {
  return (
    <main id="main" className="mx-auto w-full max-w-6xl px-5 py-16">
      <h1>{m.root_server_error_title()}</h1>
      <p className="mt-3 text-lg text-soft">{m.root_try_again_in_a_moment()}</p>
      <p className="mt-8">
        <a href={withBasePath('/')} className="font-semibold underline">
          {m.root_go_to_the_front_page()}
        </a>
      </p>
    </main>
  )
}
