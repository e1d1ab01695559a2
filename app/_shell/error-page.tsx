'use client'

import { useEffect, useState } from 'react'
import { withBasePath } from '@/components/base-path'
import { digestOf, isConnectionError } from '@/components/connection/failures'
import { probe, useReach } from '@/components/connection/reach'
import { Duck } from '@/components/duck'
import { Sentence } from '@/components/sentence'
import { buttonClass } from '@/components/ui/button-class'
import { m } from '@/lib/kernel/messages'
import { type ChangeWords, firstWords, readWords } from './last-change-words'

interface Text {
  title: () => string
  text: () => string
}

/** Texts for refusals by code. */
const texts: Record<string, Text> = {
  E4004: {
    title: m.problem_too_many_requests,
    text: m.problem_page_rate_limited_body,
  },
  E5002: {
    title: m.problem_beak_cant_reach_its_database,
    text: m.problem_page_no_database_body,
  },
}
const unreachedText: Text = {
  title: m.problem_beak_cant_be_reached,
  text: m.problem_page_load_failed_body,
}

/**
 * Returns the text and the reference of an error: the request id of a refused read, or the digest of Next. Both are in the log. Null: nothing
 * is known of the error.
 */
function describe(error: unknown, isUnreached: boolean): { text: Text | null; reference: string } {
  const digest = digestOf(error)
  // The server gives each of its errors a digest.
  if (digest === '' && isUnreached) return { text: unreachedText, reference: '' }
  const [, code = '', id = digest] = /^(E\d{4}) ?([\w-]{0,64})$/.exec(digest) ?? []
  return { text: texts[code] ?? null, reference: id }
}

/** Returns what came of the last change of this tab. */
function useChangeWords(): ChangeWords {
  const [words, setWords] = useState(firstWords)
  useEffect(() => {
    let isShown = true
    void readWords().then((read) => isShown && setWords(read))
    return () => {
      isShown = false
    }
  }, [])
  return words
}

/**
 * Replaces a page that failed. Shows what came of the last change, what to do next and a reference for support, but no internal cause.
 */
export function ErrorPage({ error, retry }: { error: unknown; retry: () => void }) {
  const reach = useReach()
  const { text, reference } = describe(error, reach !== 'reached' || isConnectionError(error))
  const change = useChangeWords()
  const title = text?.title() ?? change.title ?? m.problem_something_went_wrong_on_our_side()
  useEffect(() => {
    if (digestOf(error) === '') void probe()
  }, [error])
  return (
    <div role="alert" className="max-w-xl py-4">
      <title>{m.problem_title_beak({ title })}</title>
      <Duck id="broken" size={104} />
      <h1 className="mt-7">{title}</h1>
      <p className="mt-3 text-lg text-soft">{text?.text() ?? change.text}</p>
      <div className="mt-8 flex flex-wrap items-center gap-x-4 gap-y-3">
        {change.href === undefined ? null : (
          <a href={change.href} className={buttonClass('primary')}>
            {m.problem_open_the_request()}
          </a>
        )}
        <button
          type="button"
          onClick={() => retry()}
          className={buttonClass(change.href === undefined ? 'primary' : 'plain')}
        >
          {m.problem_try_again()}
        </button>
        {/* A plain link loads the page anew, because the router of this page may have failed. */}
        <a href={withBasePath('/status')} className={buttonClass()}>
          {m.problem_view_system_status()}
        </a>
      </div>
      {reference === '' ? null : (
        <p className="mt-10 border-t border-line pt-4 text-sm text-soft">
          <Sentence
            of={m.problem_support_reference_note}
            with={{ reference }}
            parts={{
              code: (children) => (
                <code translate="no" className="text-ink wrap-anywhere">
                  {children}
                </code>
              ),
            }}
          />
        </p>
      )}
    </div>
  )
}
