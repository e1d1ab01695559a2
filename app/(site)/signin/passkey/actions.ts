'use server'

import { redirect } from 'next/navigation'
import { nextPath } from '@/app/_web/local-path'
import { rememberNoPasskey } from '@/app/_web/passkeys'
import { field } from '@/components/ui/form-state'

/** Continues without a passkey, and does not offer one again for 90 days. */
export async function declinePasskey(form: FormData): Promise<void> {
  await rememberNoPasskey()
  redirect(nextPath(field(form, 'next')))
}
