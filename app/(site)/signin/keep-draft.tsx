'use client'

import { useEffect } from 'react'
import { keepDraft } from '@/components/ui/draft'

/** On the sign-in page: keeps what was typed into the form that found no session. `id`: its submission, empty when it was not sent. */
export function KeepDraft({ id }: { id: string }) {
  useEffect(() => keepDraft(id), [id])
  return null
}
