import { Link } from '@/components/ui/link'
import { m } from '@/lib/kernel/messages'
import { SearchField } from '../_content/nav'
import type { Group } from './reference'

const place =
  'flex min-h-9 items-center rounded-control px-3 text-sm text-soft no-underline hover:bg-sunken hover:text-ink aria-[current=page]:bg-accent-wash aria-[current=page]:font-semibold aria-[current=page]:text-ink'

interface DocsNavProps {
  groups: Group[]
  /** The name of the open group. */
  current?: string
}

/** The search field, links to the groups of the reference and, on wide screens, to the operations of the open group. */
export function DocsNav({ groups, current }: DocsNavProps) {
  return (
    <div className="no-print lg:sticky lg:top-6 lg:-ms-3 lg:max-h-[calc(100dvh-3rem)] lg:self-start lg:overflow-y-auto lg:p-1">
      <SearchField />
      <nav aria-label={m.docs_api_reference()} className="mt-4">
        <ul className="flex flex-wrap max-lg:-mx-3 lg:flex-col">
          <li>
            <Link href="/docs/api" aria-current={current ? undefined : 'page'} className={place}>
              {m.docs_api_overview()}
            </Link>
          </li>
          {groups.map(({ name, title, operations }) => (
            <li key={name}>
              <Link
                href={`/docs/api/${name}`}
                aria-current={current === name ? 'page' : undefined}
                className={place}
              >
                {title}
              </Link>
              {current === name ? (
                <ul className="my-1 ms-3 border-s border-line max-lg:hidden">
                  {operations.map(({ id, operation }) => (
                    <li key={id}>
                      <a
                        href={`#${id}`}
                        className="block px-3 py-1 text-xs text-soft no-underline hover:text-ink"
                      >
                        {operation.summary}
                      </a>
                    </li>
                  ))}
                </ul>
              ) : null}
            </li>
          ))}
        </ul>
      </nav>
    </div>
  )
}
