'use client'

// A client component, so that the data of the page has each operation as three words, and not as elements.
import { withBasePath } from '@/components/base-path'

interface OperationListProps {
  operations: { id: string; method: string; path: string; summary: string }[]
  /** The path of the page with the operations. Empty for this page. */
  page: string
}

/** The operations of a group, each with its summary. */
export function OperationList({ operations, page }: OperationListProps) {
  return (
    <ul className="mt-4 border-t border-line text-sm">
      {operations.map(({ id, method, path, summary }) => (
        <li key={id} className="border-b border-line">
          <a
            href={`${page === '' ? '' : withBasePath(page)}#${id}`}
            className="grid min-h-11 content-center gap-x-6 py-2 no-underline hover:bg-sunken sm:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]"
          >
            <code translate="no" className="wrap-anywhere">
              <span className="inline-block w-12 font-bold">{method}</span>
              {path}
            </code>
            <span className="text-soft">{summary}</span>
          </a>
        </li>
      ))}
    </ul>
  )
}
