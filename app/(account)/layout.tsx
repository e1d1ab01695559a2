import Link from 'next/link'
import type { ReactNode } from 'react'
import { AccountNav } from '@/components/account-nav'
import { Duck, Mark } from '@/components/duck'
import { SiteFooter } from '@/components/site-footer'
import { Button } from '@/components/ui/button'
import { Pill } from '@/components/ui/surface'
import { signOut } from '@/lib/web/actions'
import { requireViewer } from '@/lib/web/viewer'
import { countWaiting } from '@/lib/web/waiting'

/** One's own pages. Each page asks for its viewer itself too: a layout is not rendered again when one moves between pages. */
export default async function AccountLayout({ children }: { children: ReactNode }) {
  const viewer = await requireViewer('/home')
  return (
    <>
      <header className="no-print border-b border-line">
        <div className="mx-auto flex max-w-6xl flex-wrap items-center gap-x-6 gap-y-2 px-5 py-3">
          <Link
            href="/"
            className="flex min-h-11 items-center gap-2 font-display text-xl font-bold tracking-tight no-underline"
          >
            <Mark />
            Beak
          </Link>
          <div className="ms-auto flex items-center gap-3">
            <Duck id={viewer.duckling_id} size={36} />
            <span className="text-sm font-semibold">{viewer.display_name}</span>
            <Pill>{viewer.trust_tier}</Pill>
            <form action={signOut}>
              <Button type="submit" kind="quiet">
                Sign out
              </Button>
            </form>
          </div>
        </div>
      </header>
      <div className="mx-auto grid w-full max-w-6xl grid-cols-[minmax(0,1fr)] gap-x-12 gap-y-6 px-5 py-8 lg:grid-cols-[11rem_minmax(0,1fr)]">
        <AccountNav waiting={await countWaiting()} />
        <main id="main" className="min-w-0 pb-10">
          {children}
        </main>
      </div>
      <SiteFooter />
    </>
  )
}
