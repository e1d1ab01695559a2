import { redirect } from 'next/navigation'
import { explain } from './form'
import { PageProblem } from './page-problem'
import type { Problem } from './problem'
import { findViewer } from './viewer'

/**
 * For server actions: sends whoever is no longer signed in to sign in, and back to `path`. A wrong code is refused with the
 * same status as a dead session, so the session itself is asked.
 */
export async function signInAgain(problem: Problem, path: string): Promise<void> {
  if (problem.status === 401 && (await isSignedOut())) redirect(`/signin?next=${encodeURIComponent(path)}`)
}

/** Whether the session has ended. False when the session cannot be read: the form then shows the refusal. */
async function isSignedOut(): Promise<boolean> {
  try {
    return (await findViewer()) === null
  } catch (error) {
    if (error instanceof PageProblem) return false
    throw error
  }
}

/** A refusal of the code that was typed, laid beside its field. */
export function atCodeField(problem: Problem): Problem {
  if (problem.status !== 401) return problem
  return { ...problem, errors: [{ field: 'otp', message: explain(problem) }] }
}
