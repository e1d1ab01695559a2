'use client'

import { useParams } from 'next/navigation'
import { m } from '@/lib/kernel/messages'

/** The number in the page's address. Read in the browser, because Next passes no parameters to a not-found page. */
export function RequestedNumber() {
  const { id } = useParams<{ id?: string }>()
  const text = decode(id ?? '').slice(0, 80)
  return text === '' ? (
    m.verify_in_this_address()
  ) : (
    <span translate="no" className="font-mono text-sm wrap-anywhere">
      {text}
    </span>
  )
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
