import { withBasePath } from '@/components/base-path'
import { buttonClass } from '@/components/ui/button'
import { Link } from '@/components/ui/link'

/** Plain links: the router must not prefetch a download. */
export function Downloads() {
  return (
    <section aria-labelledby="download" className="mt-14 border-t border-line pt-8">
      <h2 id="download" className="text-lg">
        Download
      </h2>
      <p className="mt-2 max-w-2xl text-sm text-soft">
        The JSON file contains the whole log and its signature.{' '}
        <Link href="/docs/sites/check-it-yourself" className="underline">
          Check it yourself
        </Link>{' '}
        on your own machine at any time. The CSV file is for spreadsheets.
      </p>
      <p className="mt-5 flex flex-wrap gap-3">
        <a href={withBasePath('/api/audit/export')} className={buttonClass()}>
          Download as JSON
        </a>
        <a href={withBasePath('/api/audit/export?format=csv')} className={buttonClass()}>
          Download as CSV
        </a>
      </p>
      <p className="mt-5 text-sm text-soft">
        To export everything else we hold about you, go to{' '}
        <Link href="/account" className="underline">
          Account
        </Link>
        .
      </p>
    </section>
  )
}
