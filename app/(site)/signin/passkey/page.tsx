import type { Metadata } from 'next'
import { headers } from 'next/headers'
import { nextPath } from '@/app/_web/local-path'
import { hasPasskey } from '@/app/_web/passkey-offer'
import { requireViewer } from '@/app/_web/viewer'
import { AddPasskey } from '@/components/add-passkey'
import { Duck } from '@/components/duck'
import { PicturePage } from '@/components/picture-page'
import { withProblemPage } from '@/components/problem-page'
import { ButtonLink, buttonClass } from '@/components/ui/button'
import { deviceWords } from '@/lib/kernel/device'
import { declinePasskey } from './actions'

export const metadata: Metadata = { title: 'Add a passkey', robots: { index: false } }

interface PageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

/** After signing in with a code: an offer to do without one the next time. */
export default withProblemPage(async function PasskeyOfferPage({ searchParams }: PageProps) {
  const viewer = await requireViewer('/signin/passkey')
  const next = nextPath((await searchParams).next)
  const picture = (size: number) => <Duck id={viewer.duckling_id} size={size} />
  if (await hasPasskey())
    return (
      <PicturePage
        title="Your passkey is ready"
        lead="Next time it signs you in without a code, and it can sign what you approve."
        picture={picture}
      >
        <ButtonLink href={next} kind="primary">
          Go on
        </ButtonLink>
      </PicturePage>
    )
  return (
    <PicturePage
      title="Next time without a code?"
      lead="A passkey lives on your device and opens with your finger, your face or your PIN. There is nothing to remember, and nothing anybody could steal from us."
      picture={picture}
    >
      <AddPasskey suggestedName={deviceWords((await headers()).get('user-agent'))} />
      <form action={declinePasskey} className="mt-5">
        <input type="hidden" name="next" value={next} />
        <button type="submit" className={buttonClass('quiet')}>
          Not now
        </button>
      </form>
    </PicturePage>
  )
})
