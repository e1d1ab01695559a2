import type { ReactNode } from 'react'
import { SessionProof } from '@/app/_passkeys/session-proof'
import { SiteFooter } from '@/app/_shell/site-footer'
import { SiteHeader } from '@/app/_shell/site-header'

export default function SiteLayout({ children }: { children: ReactNode }) {
  return (
    <>
      <SiteHeader />
      <main id="main" className="mx-auto w-full max-w-6xl px-5 py-10 sm:py-14">
        <SessionProof>{children}</SessionProof>
      </main>
      <SiteFooter />
    </>
  )
}
