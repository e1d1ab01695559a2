import type { ReactNode } from 'react'
import { Duck } from '@/components/duck'
import { PicturePage } from '@/components/picture-page'
import { Link } from '@/components/ui/link'
import { m } from '@/lib/kernel/messages'

interface WayOn {
  href: string
  label: () => string
}

const waysOn: WayOn[] = [
  { href: '/', label: m.missing_to_front_page },
  { href: '/directory', label: m.missing_to_directory },
  { href: '/verify', label: m.missing_to_verify },
  { href: '/support', label: m.missing_to_support },
]

const waysOfViewer: WayOn[] = [
  { href: '/home', label: m.missing_to_home },
  { href: '/pecks', label: m.missing_to_inbox },
  { href: '/docs/search', label: m.missing_to_docs },
  { href: '/support', label: m.missing_to_support },
]

interface NotFoundPageProps {
  title?: string
  lead?: ReactNode
  /** Where to go from here. Default: the public pages. */
  ways?: WayOn[]
}

/** The page for unknown addresses, in every part of the site. */
export function NotFoundPage({
  title = m.missing_page(),
  lead = m.missing_page_typo(),
  ways = waysOn,
}: NotFoundPageProps) {
  return (
    <PicturePage title={title} lead={lead} picture={(size) => <Duck id="lost" size={size} />}>
      <ul className="grid gap-1 border-t border-line pt-4">
        {ways.map(({ href, label }) => (
          <li key={href}>
            <Link href={href} className="inline-flex min-h-11 items-center font-semibold underline">
              {label()}
            </Link>
          </li>
        ))}
      </ul>
    </PicturePage>
  )
}

/** The same for a signed-in person. */
export function OwnNotFoundPage() {
  return <NotFoundPage ways={waysOfViewer} />
}
