import type { PresentedRule } from './reads'
import { leftShare, leftTexts } from './words'

interface LeftBarProps {
  budget: PresentedRule['rule']['budget'] | null
  left: PresentedRule['left']
}

/** What is left of a budget, in words and as a bar. The bar only repeats the words. */
export function LeftBar({ budget, left }: LeftBarProps) {
  const [share, texts] = [leftShare({ budget, left }), leftTexts({ budget, left })]
  if (share === null || texts.length === 0) return null
  const fill = share === 0 ? 'fill-bad' : share < 0.2 ? 'fill-warn' : 'fill-accent'
  return (
    <div className="grid max-w-sm gap-1.5">
      <p className={`text-sm tabular-nums ${share === 0 ? 'font-semibold text-bad' : ''}`}>
        {texts.join(' · ')}
      </p>
      <svg viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true" className="block h-1.5 w-full">
        <rect width="100" height="4" rx="2" className="fill-line" />
        <rect width={Math.max(share * 100, 2)} height="4" rx="2" className={fill} />
      </svg>
    </div>
  )
}
