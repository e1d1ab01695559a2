import type { ReactNode } from 'react'

/** A card. */
export function Card({ children, className = '' }: { children: ReactNode; className?: string }) {
  return (
    <div className={`rounded-card border border-line bg-surface p-5 shadow-card sm:p-7 ${className}`}>
      {children}
    </div>
  )
}

/** The head of a page: title, state, a sentence about the page, and actions. */
export function PageHead({
  title,
  state,
  lead,
  children,
}: {
  title: ReactNode
  state?: ReactNode
  lead?: ReactNode
  children?: ReactNode
}) {
  return (
    <header className="mb-8 flex flex-wrap items-end justify-between gap-x-8 gap-y-4">
      <div className="min-w-0 max-w-2xl">
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <h1 className="wrap-anywhere">{title}</h1>
          {state}
        </div>
        {lead ? <p className="mt-2 text-soft wrap-anywhere">{lead}</p> : null}
      </div>
      {children ? <div className="flex flex-wrap gap-3">{children}</div> : null}
    </header>
  )
}

/** A titled part of a page. */
export function Section({
  id,
  title,
  lead,
  children,
}: {
  id: string
  title: string
  lead?: ReactNode
  children: ReactNode
}) {
  return (
    <section aria-labelledby={id} className="mb-14">
      <h2 id={id}>{title}</h2>
      {lead ? <p className="mt-1 max-w-2xl text-soft">{lead}</p> : null}
      <div className="mt-5">{children}</div>
    </section>
  )
}

export type Tone = 'neutral' | 'good' | 'warn' | 'bad' | 'accent'

const tones: Record<Tone, string> = {
  neutral: 'bg-sunken text-soft',
  good: 'bg-good-wash text-good',
  warn: 'bg-warn-wash text-warn',
  bad: 'bg-bad-wash text-bad',
  accent: 'bg-accent-wash text-accent',
}

/** A state in a word. The colour only repeats what the word says. */
export function Pill({ tone = 'neutral', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span
      className={`inline-flex items-center gap-1.5 rounded-full px-2.5 py-0.5 text-xs font-semibold ${tones[tone]}`}
    >
      {children}
    </span>
  )
}

/** A notice that the reader should see before going on. */
export function Notice({
  tone = 'accent',
  title,
  children,
  role,
}: {
  tone?: Tone
  title?: string
  children: ReactNode
  role?: 'status' | 'alert'
}) {
  return (
    <div role={role} className={`rounded-card px-5 py-4 text-sm ${tones[tone]}`}>
      {title ? <p className="font-semibold">{title}</p> : null}
      <div className={`text-ink ${title ? 'mt-1' : ''}`}>{children}</div>
    </div>
  )
}

/** An empty state: says what will be here, and offers the first step. */
export function Empty({
  title,
  children,
  action,
}: {
  title: string
  children?: ReactNode
  action?: ReactNode
}) {
  return (
    <div className="rounded-card border border-dashed border-edge px-6 py-12 text-center">
      <p className="font-display text-lg font-semibold">{title}</p>
      {children ? <p className="mx-auto mt-2 max-w-md text-sm text-soft">{children}</p> : null}
      {action ? <div className="mt-5 flex justify-center">{action}</div> : null}
    </div>
  )
}

/** A list of names and values, in two columns on wide screens. */
export function Facts({ facts }: { facts: { name: string; value: ReactNode }[] }) {
  return (
    <dl className="grid gap-x-8 gap-y-0.5 text-sm sm:grid-cols-[max-content_1fr] sm:gap-y-3">
      {facts.map(({ name, value }) => (
        <div key={name} className="contents">
          <dt className="text-soft">{name}</dt>
          <dd className="min-w-0 wrap-anywhere max-sm:mb-3">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
