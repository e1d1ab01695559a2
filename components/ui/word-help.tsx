/**
 * Help beside a hard word. Newcomers meet these words on their first pages, and do not read the documentation first. All words are in
 * `hard-words.ts`: a page names the word, and writes no explanation of its own.
 */
import { CircleHelp } from 'lucide'
import { Icon } from '@/components/ui/icon'
import { m } from '@/lib/kernel/messages'
import { type HardWordName, hardWords } from './hard-words'
import { Link } from './link'

/**
 * A question that opens one line of help, such as "What is a passkey?". Several words share one opener. It is a disclosure of the browser:
 * it works with touch, keyboard and screen reader, and without JavaScript. Place it below the paragraph or field with the word.
 */
export function WordHelp({ words, className = '' }: { words: HardWordName[]; className?: string }) {
  const [first, ...others] = words.map((word) => hardWords[word])
  if (first === undefined) return null
  return (
    <details className={`no-print max-w-prose text-sm text-soft ${className}`}>
      <summary className="inline-flex min-h-11 items-center gap-2 rounded-control underline decoration-line underline-offset-4 hover:decoration-ink">
        <Icon of={CircleHelp} size={16} className="shrink-0" />
        {others.length === 0
          ? first.question()
          : m.word_help_several({ words: [first, ...others].map(({ name }) => name()).join(', ') })}
      </summary>
      <div className="grid gap-2 pb-2">
        {[first, ...others].map(({ name, line, href }) => (
          <p key={href}>
            {line()}{' '}
            <Link
              href={href}
              aria-label={m.word_help_more_about({ word: name() })}
              className="whitespace-nowrap text-ink underline"
            >
              {m.word_help_more()}
            </Link>
          </p>
        ))}
      </div>
    </details>
  )
}
