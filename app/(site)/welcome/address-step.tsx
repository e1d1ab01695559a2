import Link from 'next/link'
import type { Viewer } from '@/app/_web/viewer'
import { OutboxHint } from '@/components/outbox-hint'
import { PicturePage } from '@/components/picture-page'
import { ResendCode } from '@/components/resend-code'
import { Egg } from '@/components/ripples'
import { ActionForm, CodeField, SubmitButton, TextField } from '@/components/ui/form'
import { minute, readClock } from '@/lib/kernel/clock'
import { confirmAddress, correctAddress, resendCode } from './actions'
import { Steps } from './steps'

/** How long a code is valid, and how long after it another can be asked for, in seconds. */
const lifetime = 10 * minute
const resendAfter = minute / 2

interface AddressStepProps {
  viewer: Viewer
  next: string
  referralCode: string
}

/** The code that confirms the address, and every way on from there when it does not come or does not work. */
export function AddressStep({ viewer, next, referralCode }: AddressStepProps) {
  const age = Math.max(0, (readClock().getTime() - Date.parse(viewer.created_at)) / 1000)
  const isFresh = age < lifetime
  return (
    <PicturePage
      above={<Steps at="address" done={[]} />}
      title="Confirm your address"
      lead={
        isFresh ? (
          <>
            We have mailed a six-digit code to <Address of={viewer} />. Your duck hatches once you type it in.
          </>
        ) : (
          <>
            The code we mailed to <Address of={viewer} /> when you signed up has expired. Ask for a new one
            below, and your duck hatches once you type it in.
          </>
        )
      }
      picture={(size) => <Egg id={viewer.duckling_id} size={size} />}
    >
      <ActionForm action={confirmAddress} label="Confirm your address">
        <input type="hidden" name="next" value={next} />
        <CodeField submitsItself autoFocus hint="Valid for ten minutes. It is sent once it is complete." />
        <SubmitButton>Confirm</SubmitButton>
      </ActionForm>
      <div className="mt-10 grid gap-5 border-t border-line pt-5">
        <p className="text-sm text-soft">
          No mail after a minute? Look among the unwanted ones. We send at most three codes in ten minutes.
        </p>
        <ResendCode action={resendCode} wait={Math.max(0, Math.ceil(resendAfter - age))}>
          <input type="hidden" name="next" value={next} />
        </ResendCode>
        <WrongAddress isFresh={isFresh} next={next} referralCode={referralCode} />
        <OutboxHint />
      </div>
    </PicturePage>
  )
}

function Address({ of: { email } }: { of: Viewer }) {
  return <strong className="text-ink wrap-anywhere">{email}</strong>
}

/** Closing the duckling of the wrong address needs a recent sign-in; later the way leads over the profile. */
function WrongAddress({
  isFresh,
  next,
  referralCode,
}: Omit<AddressStepProps, 'viewer'> & { isFresh: boolean }) {
  if (!isFresh)
    return (
      <p className="text-sm text-soft">
        Wrong address?{' '}
        <Link href="/profile" className="inline-block py-1 font-semibold text-ink underline">
          Change it on your profile
        </Link>
      </p>
    )
  return (
    <details>
      <summary className="inline-flex min-h-11 items-center text-sm font-semibold underline decoration-line hover:decoration-ink">
        Wrong address?
      </summary>
      <ActionForm action={correctAddress} className="mt-3" label="Correct the address">
        <input type="hidden" name="next" value={next} />
        <input type="hidden" name="referral_code" value={referralCode} />
        <TextField
          label="The right address"
          name="email"
          type="email"
          autoComplete="email"
          hint="We start over with it, under the same name."
        />
        <SubmitButton kind="plain">Mail the code there</SubmitButton>
      </ActionForm>
    </details>
  )
}
