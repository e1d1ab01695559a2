import type { NoTriesFailure } from '@/lib/domain/codes/codes'
import type { ProofFailure } from '@/lib/domain/sessions/proof'
import type { DucklingContext } from '@/lib/kernel/context'
import { confirmWithPasskey } from './confirm-passkey'
import type { Elevation, ElevationStep } from './schema'
import { sendPhoneCode, verifyPhone } from './verify-phone'

/** Takes one step of elevation: sends a code to a phone, spends the code (T1 → T2), or confirms with a passkey (T2 → T3). */
export function elevateTrust(
  context: DucklingContext<
    | 'tier_too_low'
    | 'tier_already_reached'
    | ProofFailure
    | 'too_many_codes_sent'
    | 'too_many_text_messages'
    | 'code_invalid'
    | NoTriesFailure
    | 'session_invalid'
    | 'passkey_assertion_invalid'
  >,
  { phone, otp, passkey }: ElevationStep,
): Promise<Elevation> {
  if (phone !== undefined) return sendPhoneCode(context, phone)
  if (otp !== undefined) return verifyPhone(context, otp)
  if (passkey !== undefined) return confirmWithPasskey(context, passkey)
  throw new Error('no step was given')
}
