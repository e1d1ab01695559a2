'use server'

import { redirect } from 'next/navigation'
import { field } from '@/lib/web/form'
import { nextPath } from '@/lib/web/local-path'
import { rememberNoPasskey } from '@/lib/web/passkey-offer'

/** Goes on without a passkey, and does not ask again for a while. */
export async function declinePasskey(form: FormData): Promise<void> {
  await rememberNoPasskey()
  redirect(nextPath(field(form, 'next')))
}
