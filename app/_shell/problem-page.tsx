/** Pages that replace a page when the API refuses one of its reads. */
import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { PageProblem, type ProblemWords, problemWords } from '@/app/_web/page-read'
import type { Problem } from '@/app/_web/problem'
import { Duck } from '@/components/duck'
import { answerWith } from '@/lib/http/page-errors'
import { frameState } from './frame'
import { FrameCheck } from './frame-check'
import { SamePageLink } from './same-page-link'

/** Returns the refusal behind an error with its text, or null for any other error. */
function readProblem(error: unknown): { problem: Problem; words: ProblemWords } | null {
  if (!(error instanceof PageProblem)) return null
  const words = problemWords(error.problem)
  return words === null ? null : { problem: error.problem, words }
}

/**
 * Wraps a page. When a read of the page is refused (429, 400 or 503), the server renders a page that shows what to do, with that status.
 * Reads in components below the page are not covered: read in the page and pass the result on.
 */
export function withProblemPage<Props>(page: (props: Props) => Promise<ReactNode>) {
  return async (props: Props): Promise<ReactNode> => {
    try {
      const content = await page(props)
      const frame = await frameState()
      return (
        <>
          {content}
          {frame === null || frame === '' ? null : <FrameCheck state={frame} />}
        </>
      )
    } catch (error) {
      const found = readProblem(error)
      if (found === null) throw error
      answerWith(found.problem.status, found.problem.retry_after)
      return <ProblemPage words={found.words} />
    }
  }
}

/** Wraps `generateMetadata`: after a refused read, returns the title of the page that replaces it. */
export function withProblemTitle<Props>(generate: (props: Props) => Promise<Metadata>) {
  return async (props: Props): Promise<Metadata> => {
    try {
      return await generate(props)
    } catch (error) {
      const found = readProblem(error)
      if (found === null) throw error
      return { title: found.words.title, robots: { index: false } }
    }
  }
}

function ProblemPage({ words: { title, text, next, label } }: { words: ProblemWords }) {
  return (
    <div className="max-w-xl py-4">
      <Duck id="broken" size={104} />
      <h1 className="mt-7">{title}</h1>
      <p className="mt-3 text-lg text-soft">{text}</p>
      <div className="mt-8">
        <SamePageLink keepsQuery={next === 'again'}>{label}</SamePageLink>
      </div>
    </div>
  )
}
