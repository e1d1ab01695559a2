'use server'

import { redirect } from 'next/navigation'
import { field } from '@/app/_web/form'
import { nextPath } from '@/app/_web/local-path'
import { rememberNoPasskey } from '@/app/_web/passkey-offer'

/** Goes on without a passkey, and does not ask again for a while. */
export async function declinePasskey(form: FormData): Promise<void> {
  await rememberNoPasskey()
  redirect(nextPath(field(form, 'next')))
}
