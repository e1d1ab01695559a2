'use client'

import { ButtonLink } from './ui/button'
import { useAnswer } from './ui/form'

/** Within a form whose action was refused for want of a recent sign-in: the way to one, and back to `next`. */
export function FreshSignIn({ next }: { next: string }) {
  const { status, data } = useAnswer<{ freshSignIn?: boolean }>()
  if (status !== 'refused' || !data?.freshSignIn) return null
  return (
    <ButtonLink href={`/signin?reason=fresh&next=${encodeURIComponent(next)}`} className="justify-self-start">
      Sign in again
    </ButtonLink>
  )
}
