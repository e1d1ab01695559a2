import { redirect } from 'next/navigation'
import { draftField, field } from '@/components/ui/form-state'
import { explain } from './form'
import { PageProblem } from './page-read'
import { isUnauthenticated, type Problem } from './problem'
import { findViewer } from './viewer'

/**
 * Redirects to sign-in, and from there back to `path`, when the session has ended. For server actions. A wrong code has the same
 * status as an expired session, so this checks the session itself. `form`: the form that was not sent. The address of the sign-in then
 * names its draft, which the browser keeps (components/ui/draft.ts).
 */
export async function signInAgain(problem: Problem, path: string, form?: FormData): Promise<void> {
  if (!isUnauthenticated(problem) || !(await isSignedOut())) return
  const draft = form === undefined ? '' : field(form, draftField)
  redirect(`/signin?${new URLSearchParams({ next: path, ...(draft === '' ? {} : { draft }) })}`)
}

/** Returns whether the session has ended. False when the session cannot be read: the form then shows the refusal. */
async function isSignedOut(): Promise<boolean> {
  try {
    return (await findViewer()) === null
  } catch (error) {
    if (error instanceof PageProblem) return false
    throw error
  }
}

/** Assigns the refusal of a typed code to the code field. */
export function atCodeField(problem: Problem): Problem {
  if (!isUnauthenticated(problem)) return problem
  return { ...problem, errors: [{ field: 'otp', message: explain(problem) }] }
}
