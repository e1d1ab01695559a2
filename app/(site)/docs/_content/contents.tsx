import { m } from '@/lib/kernel/messages'
import { headingsIn } from './headings'

/** From this number of headings on, a page has a table of contents. */
const longPage = 15

/** The table of contents of a long page. */
export function Contents({ body }: { body: string }) {
  const headings = headingsIn(body).filter(({ depth }) => depth <= 3)
  if (headings.length < longPage) return null
  return (
    <details className="no-print mb-8 max-w-3xl rounded-card border border-line px-4">
      <summary className="min-h-11 content-center font-semibold">{m.docs_on_this_page()}</summary>
      <ul className="mb-3 gap-x-8 text-sm sm:columns-2">
        {headings.map(({ id, text, depth }) => (
          <li key={id} className={depth === 3 ? 'ms-4' : 'font-semibold'}>
            <a href={`#${id}`} className="inline-block py-1 wrap-anywhere underline decoration-line">
              {text}
            </a>
          </li>
        ))}
      </ul>
    </details>
  )
}
