import type { KeyLife } from './key-life'

const fills = { good: 'fill-good', warn: 'fill-warn', bad: 'fill-bad' }

/** How much of a key's life is left, in a bar and in words. */
export function KeyBar({ life }: { life: KeyLife }) {
  return (
    <div className="grid gap-1.5">
      <svg viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true" className="block h-1.5 w-full">
        <rect width="100" height="4" rx="2" className="fill-line" />
        <rect width={Math.max(life.left * 100, 2)} height="4" rx="2" className={fills[life.tone]} />
      </svg>
      <p
        className={`text-sm tabular-nums ${life.tone === 'good' ? 'text-soft' : `font-semibold ${life.tone === 'warn' ? 'text-warn' : 'text-bad'}`}`}
      >
        {life.words}
      </p>
    </div>
  )
}
