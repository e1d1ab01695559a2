'use client'

import { useEffect, useRef } from 'react'
import { useAnswer } from '@/components/ui/form'
import { Link } from '@/components/ui/link'
import { Facts } from '@/components/ui/surface'
import { Verdict } from '@/components/verdict'
import type { TokenCheck } from './check-token'

/** The result of the latest check of a token. It takes the focus, so that a screen reader reads it. */
export function TokenResult() {
  const { data, status, turn } = useAnswer<TokenCheck>()
  const top = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each turn has a new result
  useEffect(() => top.current?.focus(), [turn])
  if (status !== 'succeeded' || data === undefined) return null
  const { kind, title, text, facts, link } = data
  return (
    <div ref={top} tabIndex={-1} className="mt-4 grid gap-6 outline-none">
      <Verdict as="h2" kind={kind} title={title}>
        <p>{text}</p>
      </Verdict>
      {facts.length === 0 ? null : <Facts facts={facts} />}
      {link === undefined ? null : (
        <Link
          href={link.href}
          className="inline-flex min-h-6 items-center justify-self-start text-accent underline"
        >
          {link.label}
        </Link>
      )}
    </div>
  )
}
