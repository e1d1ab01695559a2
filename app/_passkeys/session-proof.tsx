'use client'

import type { ReactNode } from 'react'
import { ConfirmSession } from '@/components/ui/proof'

/** Lets the forms below it confirm the session with a passkey. The code of the ceremony loads only when an action asks for it. */
export function SessionProof({ children }: { children: ReactNode }) {
  return <ConfirmSession value={confirm}>{children}</ConfirmSession>
}

const confirm = async () => (await import('./confirm-session')).confirmSession()
