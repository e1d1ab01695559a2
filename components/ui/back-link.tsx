import { ArrowLeft } from 'lucide'
import { Icon } from '@/components/ui/icon'
import { Link } from './link'

/** A link above the title of a page, back to the list that the page belongs to. */
export function BackLink({ href, children }: { href: string; children: string }) {
  return (
    <p data-back={href} className="mb-2 text-sm lg:-mt-3">
      <Link
        href={href}
        className="inline-flex min-h-11 items-center gap-1.5 text-soft underline hover:text-ink"
      >
        <Icon of={ArrowLeft} size={16} />
        {children}
      </Link>
    </p>
  )
}
