'use client'

import { useEffect } from 'react'
import { keepDraft } from '@/components/ui/draft'

/** On the sign-in page: keeps what was typed into the form that found no session. */
export function KeepDraft({ id }: { id: string }) {
  useEffect(() => keepDraft(id), [id])
  return null
}
