import { Duck } from '@/components/duck'
import { SiteFooter } from '@/components/site-footer'
import { SiteHeader } from '@/components/site-header'
import { ButtonLink } from '@/components/ui/button'

export default function NotFound() {
  return (
    <>
      <SiteHeader />
      <main id="main" className="mx-auto w-full max-w-6xl px-5 py-16">
        <Duck id="lost" size={96} />
        <h1 className="mt-6">Nothing nests here.</h1>
        <p className="mt-3 max-w-prose text-soft">The address may be mistyped, or the page has moved.</p>
        <p className="mt-8">
          <ButtonLink href="/">Go to the start</ButtonLink>
        </p>
      </main>
      <SiteFooter />
    </>
  )
}
