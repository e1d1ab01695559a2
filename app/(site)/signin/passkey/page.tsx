import type { Metadata } from 'next'
import { headers } from 'next/headers'
import { AddPasskey } from '@/app/_passkeys/add-passkey'
import { withProblemPage } from '@/app/_shell/problem-page'
import { nextPath } from '@/app/_web/local-path'
import { viewerHasPasskey } from '@/app/_web/passkeys'
import { requireViewer } from '@/app/_web/viewer'
import { Duck } from '@/components/duck'
import { PicturePage } from '@/components/picture-page'
import { ButtonLink, buttonClass } from '@/components/ui/button'
import { PlainForm } from '@/components/ui/plain-form'
import { deviceWords } from '@/lib/kernel/device'
import { declinePasskey } from './actions'

export const metadata: Metadata = { title: 'Add a passkey', robots: { index: false } }

interface PageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

/** Offers a passkey after a sign-in with a code. */
export default withProblemPage(async function PasskeyOfferPage({ searchParams }: PageProps) {
  const viewer = await requireViewer('/signin/passkey')
  const next = nextPath((await searchParams).next)
  const picture = (size: number) => <Duck id={viewer.duckling_id} size={size} />
  if (await viewerHasPasskey())
    return (
      <PicturePage
        title="Your passkey is ready"
        lead="From now on it signs you in without a code. It can also sign what you approve."
        picture={picture}
      >
        <ButtonLink href={next} kind="primary">
          Continue
        </ButtonLink>
      </PicturePage>
    )
  return (
    <PicturePage
      title="Skip the code next time"
      lead="A passkey stays on your device and opens with your fingerprint, face or PIN. There is nothing to remember, and nothing that could be stolen from us."
      picture={picture}
    >
      <AddPasskey suggestedName={deviceWords((await headers()).get('user-agent'))} />
      <PlainForm action={declinePasskey} className="mt-5">
        <input type="hidden" name="next" value={next} />
        <button type="submit" className={buttonClass('quiet')}>
          Not now
        </button>
      </PlainForm>
    </PicturePage>
  )
})
