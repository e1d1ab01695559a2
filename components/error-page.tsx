'use client'

import { withBasePath } from '@/app/_web/base-path'
import { Duck } from './duck'
import { buttonClass } from './ui/button-class'

/** Sentences for the refusals a page can do nothing about. */
const sentences: Record<string, { title: string; text: string }> = {
  E4004: {
    title: 'A little too fast',
    text: 'There were more requests than Beak takes at once. Wait a minute, then try again.',
  },
  E5002: {
    title: 'The pond is frozen over',
    text: 'Beak cannot reach its own records right now. Nothing is lost. Try again in a moment.',
  },
}
const otherwise = {
  title: 'Something went wrong on our side',
  text: 'It is not you. What you did last may not have been kept: try again, and look before you repeat it.',
}

/** What is known of an error: the code and request id of a refusal of the API, else the mark our own log has too. */
function read(error: unknown) {
  const digest =
    error instanceof Error && 'digest' in error && typeof error.digest === 'string' ? error.digest : ''
  const [, code = '', id = digest] = /^(E\d{4}) ?([\w-]{0,64})$/.exec(digest) ?? []
  return { ...(Object.hasOwn(sentences, code) ? sentences[code] : otherwise), reference: id }
}

/** In place of a page that cannot be shown: what it means, the way on, and what to name when asking for help. Never a cause. */
export function ErrorPage({ error, retry }: { error: unknown; retry: () => void }) {
  const { title, text, reference } = read(error)
  return (
    <div role="alert" className="max-w-xl py-4">
      <title>{`${title} · Beak`}</title>
      <Duck id="broken" size={104} />
      <h1 className="mt-7">{title}</h1>
      <p className="mt-3 text-lg text-soft">{text}</p>
      <div className="mt-8 flex flex-wrap items-center gap-x-4 gap-y-3">
        <button type="button" onClick={() => retry()} className={buttonClass('primary')}>
          Try again
        </button>
        {/* A whole new page, whatever state this one is in. */}
        <a href={withBasePath('/status')} className={buttonClass()}>
          See the status
        </a>
      </div>
      {reference === '' ? null : (
        <p className="mt-10 border-t border-line pt-4 text-sm text-soft">
          If you ask us for help, name this: <code className="text-ink wrap-anywhere">{reference}</code>
        </p>
      )}
    </div>
  )
}
