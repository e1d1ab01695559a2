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
import { m } from '@/lib/kernel/messages'
import { deviceWords } from '@/lib/kernel/request/device'
import { declinePasskey } from './actions'

export const generateMetadata = (): Metadata => ({
  title: m.signin_add_a_passkey(),
  robots: { index: false },
})

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
        title={m.signin_your_passkey_is_ready()}
        lead={m.signin_passkey_ready_intro()}
        picture={picture}
      >
        <ButtonLink href={next} kind="primary">
          {m.signin_continue()}
        </ButtonLink>
      </PicturePage>
    )
  return (
    <PicturePage
      title={m.signin_skip_the_code_next_time()}
      lead={m.signin_passkey_offer_intro()}
      picture={picture}
    >
      <AddPasskey suggestedName={deviceWords((await headers()).get('user-agent'))} />
      <PlainForm action={declinePasskey} className="mt-5">
        <input type="hidden" name="next" value={next} />
        <button type="submit" className={buttonClass('quiet')}>
          {m.signin_not_now()}
        </button>
      </PlainForm>
    </PicturePage>
  )
})
