'use client'

import { useEffect } from 'react'
import { withBasePath } from '@/components/base-path'
import { digestOf, isConnectionError } from '@/components/connection/failures'
import { probe, useReach } from '@/components/connection/reach'
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

const unreachedText = {
  title: "Beak can't be reached",
  text: 'This page could not be loaded in full. Check your connection, then try again.',
}

/** Returns the text and the reference of an error: the request id of a refused read, or the digest of Next. Both are in the log. */
function describe(error: unknown, isUnreached: boolean) {
  const digest = digestOf(error)
  // The server gives each of its errors a digest.
  if (digest === '' && isUnreached) return { ...unreachedText, reference: '' }
  const [, code = '', id = digest] = /^(E\d{4}) ?([\w-]{0,64})$/.exec(digest) ?? []
  return { ...(Object.hasOwn(texts, code) ? texts[code] : defaultText), reference: id }
}

/** Replaces a page that failed. Shows what to do next and a reference for support, but no internal cause. */
export function ErrorPage({ error, retry }: { error: unknown; retry: () => void }) {
  const reach = useReach()
  const { title, text, reference } = describe(error, reach !== 'reached' || isConnectionError(error))
  useEffect(() => {
    if (digestOf(error) === '') void probe()
  }, [error])
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
