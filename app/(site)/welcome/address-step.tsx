import type { Viewer } from '@/app/_web/viewer'
import { OutboxHint } from '@/app/(site)/dev/outbox/outbox-hint'
import { PicturePage } from '@/components/picture-page'
import { ResendCode } from '@/components/resend-code'
import { ActionForm, CodeField, SubmitButton, TextField } from '@/components/ui/form'
import { Link } from '@/components/ui/link'
import { minute, readClock } from '@/lib/kernel/clock'
import { confirmAddress, correctAddress, resendCode } from './actions'
import { UnhatchedEgg } from './hatching'
import { Steps } from './steps'

/** How long a code is valid, in seconds. */
const codeLifetime = 10 * minute
/** How long after a code another one can be sent, in seconds. */
const resendAfter = minute / 2

interface AddressStepProps {
  viewer: Viewer
  next: string
  referralCode: string
}

/** Asks for the code that confirms the email, and helps when the code does not arrive or does not work. */
export function AddressStep({ viewer, next, referralCode }: AddressStepProps) {
  const age = Math.max(0, (readClock().getTime() - Date.parse(viewer.created_at)) / 1000)
  const isFresh = age < codeLifetime
  return (
    <PicturePage
      above={<Steps at="address" done={[]} />}
      title="Confirm your email"
      lead={
        isFresh ? (
          <>
            We sent a six-digit code to <Email of={viewer} />. Enter it here.
          </>
        ) : (
          <>
            The code we sent to <Email of={viewer} /> when you signed up has expired. Send a new one below and
            enter it.
          </>
        )
      }
      picture={(size) => <UnhatchedEgg id={viewer.duckling_id} size={size} />}
    >
      <ActionForm action={confirmAddress} label="Confirm your email">
        <input type="hidden" name="next" value={next} />
        <CodeField submitsItself autoFocus hint="Valid for ten minutes. Submits automatically." />
        <SubmitButton>Confirm</SubmitButton>
      </ActionForm>
      <div className="mt-10 grid gap-5 border-t border-line pt-5">
        <p className="text-sm text-soft">
          No email after a minute? Check your spam folder. We send at most three codes in ten minutes.
        </p>
        <ResendCode action={resendCode} wait={Math.max(0, Math.ceil(resendAfter - age))}>
          <input type="hidden" name="next" value={next} />
        </ResendCode>
        <WrongEmail isFresh={isFresh} next={next} referralCode={referralCode} />
        <OutboxHint />
      </div>
    </PicturePage>
  )
}

function Email({ of: { email } }: { of: Viewer }) {
  return <strong className="text-ink wrap-anywhere">{email}</strong>
}

/** Corrects a mistyped email. That closes a duckling, which needs a recent sign-in: later the profile page changes the email. */
function WrongEmail({
  isFresh,
  next,
  referralCode,
}: Omit<AddressStepProps, 'viewer'> & { isFresh: boolean }) {
  if (!isFresh)
    return (
      <p className="text-sm text-soft">
        Wrong email?{' '}
        <Link href="/profile" className="inline-block py-1 font-semibold text-ink underline">
          Change it on your profile
        </Link>
      </p>
    )
  return (
    <details>
      <summary className="inline-flex min-h-11 items-center text-sm font-semibold underline decoration-line hover:decoration-ink">
        Wrong email?
      </summary>
      <ActionForm action={correctAddress} className="mt-3" label="Correct the email">
        <input type="hidden" name="next" value={next} />
        <input type="hidden" name="referral_code" value={referralCode} />
        <TextField
          label="Correct email address"
          name="email"
          type="email"
          autoComplete="email"
          hint="You keep your name. We send a new code there."
        />
        <SubmitButton kind="plain">Send code to this email</SubmitButton>
      </ActionForm>
    </details>
  )
}
