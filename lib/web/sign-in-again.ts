import { redirect } from 'next/navigation'
import type { Problem } from './call-api'
import { explain } from './form'
import { findViewer } from './viewer'

/**
 * For server actions: sends whoever is no longer signed in to sign in, and back to `path`. A wrong code is refused with the
 * same status as a dead session, so the session itself is asked.
 */
export async function signInAgain(problem: Problem, path: string): Promise<void> {
  if (problem.status === 401 && (await findViewer()) === null)
    redirect(`/signin?next=${encodeURIComponent(path)}`)
}

/** A refusal of the code that was typed, laid beside its field. */
export function besideCode(problem: Problem): Problem {
  if (problem.status !== 401) return problem
  return { ...problem, errors: [{ field: 'otp', message: explain(problem) }] }
}
