import { redirect } from 'next/navigation'
import { explain } from './form'
import { PageProblem } from './page-problem'
import { isUnauthenticated, type Problem } from './problem'
import { findViewer } from './viewer'

/**
 * Redirects to sign-in, and from there back to `path`, when the session has ended. For server actions. A wrong code has the same
 * status as an expired session, so this checks the session itself.
 */
export async function signInAgain(problem: Problem, path: string): Promise<void> {
  if (isUnauthenticated(problem) && (await isSignedOut()))
    redirect(`/signin?next=${encodeURIComponent(path)}`)
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
