import type { ReactNode } from 'react'
import { SessionProof } from '@/app/_passkeys/session-proof'
import { AccountNav } from '@/app/_shell/account-nav'
import { SiteFooter } from '@/app/_shell/site-footer'
import { SiteHeader } from '@/app/_shell/site-header'
import { WideMark } from '@/app/_shell/wide-mark'
import { optionalViewer } from '@/app/_web/viewer'
import { countWaiting } from '@/app/_web/waiting'

/**
 * The frame of the account pages. Each page calls `requireViewer` itself, because a layout does not know the path of its page and is
 * not rendered again on navigation.
 */
export default async function AccountLayout({ children }: { children: ReactNode }) {
  const viewer = await optionalViewer()
  const isCertified = viewer?.cert_status === 'active' && viewer.cert_id !== null
  return (
    <>
      <WideMark />
      <SiteHeader isAccount />
      <div className="mx-auto grid w-full max-w-6xl [body:has([data-wide])_&]:max-w-[96rem] grid-cols-[minmax(0,1fr)] gap-x-12 gap-y-6 px-5 py-4 lg:grid-cols-[11rem_minmax(0,1fr)] lg:py-10 lg:[body:has([data-wide])_&]:pt-3">
        <AccountNav
          publicPage={isCertified ? `/verify/${viewer.cert_id}` : null}
          waiting={viewer ? await countWaiting() : ''}
        />
        <main id="main" className="min-w-0 pb-10">
          <SessionProof>{children}</SessionProof>
        </main>
      </div>
      <SiteFooter />
    </>
  )
}
