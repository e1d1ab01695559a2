import type { ReactNode } from 'react'
import { SessionProof } from '@/app/_passkeys/session-proof'
import { SettingsNav } from '@/app/_shell/settings-nav'
import { SiteFooter } from '@/app/_shell/site-footer'
import { SiteHeader } from '@/app/_shell/site-header'
import { WideMark } from '@/app/_shell/wide-mark'

/**
 * The frame of the account pages. Each page calls `requireViewer` itself, because a layout does not know the path of its page and is
 * not rendered again on navigation.
 */
export default function AccountLayout({ children }: { children: ReactNode }) {
  return (
    <>
      <WideMark />
      <SiteHeader isAccount />
      <div className="mx-auto grid w-full max-w-6xl [body:has([data-wide])_&]:max-w-[96rem] grid-cols-[minmax(0,1fr)] gap-x-12 gap-y-6 px-5 py-4 lg:has-[[data-settings-nav]]:grid-cols-[11rem_minmax(0,1fr)] lg:py-10 lg:[body:has([data-wide])_&]:pt-3">
        <SettingsNav />
        <main id="main" className="min-w-0 pb-10">
          <SessionProof>{children}</SessionProof>
        </main>
      </div>
      <SiteFooter />
    </>
  )
}
