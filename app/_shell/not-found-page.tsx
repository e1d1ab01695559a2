import type { ReactNode } from 'react'
import { Duck } from '@/components/duck'
import { PicturePage } from '@/components/picture-page'
import { Link } from '@/components/ui/link'

const links = [
  { href: '/', label: 'Go to the home page' },
  { href: '/directory', label: 'Browse the directory' },
  { href: '/verify', label: 'Check a certificate, an agent or a token' },
  { href: '/support', label: 'Contact support' },
]

interface NotFoundPageProps {
  title?: string
  lead?: ReactNode
}

/** The page for unknown addresses, in every part of the site. */
export function NotFoundPage({
  title = 'Page not found',
  lead = 'The address may have a typo, or the page was removed.',
}: NotFoundPageProps) {
  return (
    <PicturePage title={title} lead={lead} picture={(size) => <Duck id="lost" size={size} />}>
      <ul className="grid gap-1 border-t border-line pt-4">
        {links.map(({ href, label }) => (
          <li key={href}>
            <Link href={href} className="inline-flex min-h-11 items-center font-semibold underline">
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </PicturePage>
  )
}
