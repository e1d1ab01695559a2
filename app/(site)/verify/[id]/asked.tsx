'use client'

import { useParams } from 'next/navigation'

/** What was asked for, as text: a not-found page is not told by the server. */
export function Asked() {
  const { id } = useParams<{ id?: string }>()
  const text = decode(id ?? '').slice(0, 80)
  return text === '' ? 'this number' : <span className="font-mono text-sm wrap-anywhere">{text}</span>
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
