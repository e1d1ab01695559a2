import type { Metadata } from 'next'
import Link from 'next/link'
import { Duck } from '@/components/duck'
import { SiteFooter } from '@/components/site-footer'
import { SiteHeader } from '@/components/site-header'
import { WayIn } from '@/components/way-in'

export const metadata: Metadata = { title: 'Not found', robots: { index: false } }

/** For addresses that lead nowhere. */
export default function NotFound() {
  return (
    <>
      <SiteHeader />
      <main id="main" className="mx-auto w-full max-w-6xl px-5 py-10 sm:py-14">
        <WayIn
          title="Nothing nests here"
          lead="The address may be mistyped, or what was here has moved on."
          picture={(size) => <Duck id="lost" size={size} />}
        >
          <ul className="grid gap-1 border-t border-line pt-4">
            {[
              { href: '/', label: 'The front page' },
              { href: '/directory', label: 'The directory of ducklings' },
              { href: '/verify', label: 'Check a certificate' },
              { href: '/support', label: 'Ask us' },
            ].map(({ href, label }) => (
              <li key={href}>
                <Link href={href} className="inline-flex min-h-11 items-center font-semibold underline">
                  {label}
                </Link>
              </li>
            ))}
          </ul>
        </WayIn>
      </main>
      <SiteFooter />
    </>
  )
}
