import type { ReactNode } from 'react'
import { Duck } from '@/components/duck'
import { Sentence } from '@/components/sentence'
import { m } from '@/lib/kernel/messages'

interface AskedHeadProps {
  id: string
  /** Isolated. */
  name: string
  /** What tells this person from another one of the same name. */
  children: ReactNode
}

/** Whom a person asks: the picture, the name and what is public about them. */
export function AskedHead({ id, name, children }: AskedHeadProps) {
  return (
    <header className="flex items-center gap-4">
      <Duck id={id} size={72} />
      <div className="min-w-0">
        <h1 className="wrap-anywhere">
          <Sentence of={m.ask_page_title} with={{ name }} />
        </h1>
        <p className="flex flex-wrap gap-x-2 text-sm text-soft">{children}</p>
      </div>
    </header>
  )
}
