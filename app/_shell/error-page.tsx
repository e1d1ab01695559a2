'use client'

import { withBasePath } from '@/components/base-path'
import { Duck } from '@/components/duck'
import { buttonClass } from '@/components/ui/button-class'

/** Texts for refusals by code. */
const texts: Record<string, { title: string; text: string }> = {
  E4004: {
    title: 'Too many requests',
    text: 'You sent more requests than Beak accepts at once. Wait a minute, then try again.',
  },
  E5002: {
    title: "Beak can't reach its database",
    text: 'Your data is safe. Try again in a minute.',
  },
}
const defaultText = {
  title: 'Something went wrong on our side',
  text: 'Your last change may not have been saved. Check it before you try again.',
}

/** Returns the text and the reference of an error: the request id of a refused read, or the digest of Next. Both are in the log. */
function describe(error: unknown) {
  const digest =
    error instanceof Error && 'digest' in error && typeof error.digest === 'string' ? error.digest : ''
  const [, code = '', id = digest] = /^(E\d{4}) ?([\w-]{0,64})$/.exec(digest) ?? []
  return { ...(Object.hasOwn(texts, code) ? texts[code] : defaultText), reference: id }
}

/** Replaces a page that failed. Shows what to do next and a reference for support, but no internal cause. */
export function ErrorPage({ error, retry }: { error: unknown; retry: () => void }) {
  const { title, text, reference } = describe(error)
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
        {/* A plain link loads the page anew, because the router of this page may have failed. */}
        <a href={withBasePath('/status')} className={buttonClass()}>
          View system status
        </a>
      </div>
      {reference === '' ? null : (
        <p className="mt-10 border-t border-line pt-4 text-sm text-soft">
          If you contact support, quote this reference:{' '}
          <code className="text-ink wrap-anywhere">{reference}</code>
        </p>
      )}
    </div>
  )
}
