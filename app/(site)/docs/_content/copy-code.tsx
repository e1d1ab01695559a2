'use client'

import { CopyButton } from '@/components/ui/copy'

/** Copies the code of its figure. Reads the page, so that the data of the page has the code only once. */
export function CopyCode() {
  return <CopyButton text={(button) => button.closest('figure')?.querySelector('pre')?.textContent ?? ''} />
}
