'use client'

import { useSearchParams } from 'next/navigation'
import { withBasePath } from '@/app/_web/base-path'
import { type Filters, inboxPath } from './filters'

/** Whether a narrow screen shows the list or one request. Wide screens show both. */
export function useView(filters: Filters) {
  const isList = useSearchParams().get('view') === 'list'
  const listPath = inboxPath(filters, { isList: true })
  return { isList, listPath, showList: () => window.history.pushState(null, '', withBasePath(listPath)) }
}
