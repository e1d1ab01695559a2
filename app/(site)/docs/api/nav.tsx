import Link from 'next/link'
import { withBasePath } from '@/app/_web/base-path'
import type { Group } from './reference'

const place =
  'flex min-h-9 items-center rounded-control px-3 text-sm text-soft no-underline hover:bg-sunken hover:text-ink aria-[current=page]:bg-accent-wash aria-[current=page]:font-semibold aria-[current=page]:text-ink'

interface DocsNavProps {
  groups: Group[]
  /** The name of the open group. */
  current?: string
}

/** Links to the groups of the reference and, on wide screens, to the operations of the open group. */
export function DocsNav({ groups, current }: DocsNavProps) {
  return (
    <nav
      aria-label="API reference"
      className="no-print lg:sticky lg:-ms-3 lg:top-6 lg:max-h-[calc(100dvh-3rem)] lg:self-start lg:overflow-y-auto"
    >
      <ul className="flex flex-wrap max-lg:-mx-3 lg:flex-col">
        <li>
          <Link
            href="/docs/api"
            prefetch={false}
            aria-current={current ? undefined : 'page'}
            className={place}
          >
            Overview
          </Link>
        </li>
        {groups.map(({ name, title, operations }) => (
          <li key={name}>
            <Link
              href={`/docs/api/${name}`}
              prefetch={false}
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
  )
}

/** The operations of a group, each with its summary. */
export function OperationList({ group, isHere = false }: { group: Group; isHere?: boolean }) {
  return (
    <ul className="mt-4 border-t border-line text-sm">
      {group.operations.map(({ id, method, path, operation }) => (
        <li key={id} className="border-b border-line">
          <a
            href={isHere ? `#${id}` : withBasePath(`/docs/api/${group.name}#${id}`)}
            className="grid min-h-11 content-center gap-x-6 py-2 no-underline hover:bg-sunken sm:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]"
          >
            <code className="wrap-anywhere">
              <span className="inline-block w-12 font-bold">{method}</span>
              {path}
            </code>
            <span className="text-soft">{operation.summary}</span>
          </a>
        </li>
      ))}
    </ul>
  )
}
