import { personName } from '@beak/decision/person-name'
import { quotedName } from '@beak/decision/quote'
import { type Outcome, outcomeWords } from '@beak/proofs/receipts/outcome'
import { ImageResponse } from 'next/og'
import { PageProblem } from '@/app/_web/page-read'
import {
  shareColours as colours,
  drawableName,
  ShareSeal,
  ShareSheet,
  shareFonts,
  shareSize,
} from '@/components/share-sheet'
import { m } from '@/lib/kernel/messages'
import { quotedAction } from '@/lib/kernel/text/shown-action'
import { type CheckedReceipt, readReceipt } from './read-receipt'

export const alt = 'The receipt of a request for permission. Open the page to check it.'
export const size = shareSize
export const contentType = 'image/png'

/**
 * The share image of a receipt. Other sites keep it for days, so it never says that a permission is active, only what was decided: that
 * stays true.
 */
export default async function ShareImage({
  params,
}: {
  params: Promise<{ id: string }>
}): Promise<ImageResponse> {
  const { checked, status } = await findReceipt((await params).id)
  return new ImageResponse(
    <ShareSheet>
      {checked === null ? null : <Seal {...checked} />}
      {checked === null ? <NoReceipt /> : <Sentence {...checked} />}
    </ShareSheet>,
    {
      ...size,
      status,
      headers: { 'Cache-Control': 'max-age=0, must-revalidate' },
      fonts: await shareFonts(),
    },
  )
}

async function findReceipt(id: string): Promise<{ checked: CheckedReceipt | null; status: number }> {
  try {
    const checked = await readReceipt(id)
    const isValid = checked !== null && checked.facts !== null
    return { checked: isValid ? checked : null, status: isValid ? 200 : 404 }
  } catch (error) {
    if (error instanceof PageProblem) return { checked: null, status: 503 }
    throw error
  }
}

const inks: Record<Outcome, string> = {
  approved: colours.accent,
  consumed: colours.accent,
  rejected: colours.bad,
  revoked: colours.bad,
  expired: colours.soft,
  cancelled: colours.soft,
}

/** The rosette of the receipt, with the duck of the person who was asked inside. */
function Seal({ shared: { receipt, target } }: CheckedReceipt) {
  return <ShareSeal text={receipt.peck_id} duckId={target.duckling_id} ink={inks[receipt.outcome]} />
}

function Sentence({ shared: { receipt, requester, target } }: CheckedReceipt) {
  const { outcome, statement } = receipt
  const asked = drawableName(personName(target), target.display_name)
  return (
    <div style={{ display: 'flex', flexDirection: 'column', maxWidth: 1056 }}>
      <div style={{ fontSize: 34, fontWeight: 500, color: inks[outcome] }}>
        {statement.version === 3 && statement.test
          ? m.r_only_a_test_outcome({ outcome: outcomeWords[outcome].toLowerCase() })
          : outcomeWords[outcome]}
      </div>
      <div style={{ fontSize: 54, fontWeight: 700, letterSpacing: -1, lineHeight: 1.15, marginTop: 10 }}>
        {m.r_requester_asked_asked({ requester: drawableAsker(requester), asked })}
      </div>
      <div style={{ fontSize: 34, fontWeight: 500, marginTop: 18 }}>
        {quotedAction(statement.action, 'the')}
      </div>
      <div style={{ fontSize: 24, fontWeight: 500, color: colours.soft, marginTop: 18 }}>
        {m.r_open_page_check_signatures()}
      </div>
    </div>
  )
}

/** Returns the name of the asker, or who is behind an agent whose name the typeface cannot draw. */
function drawableAsker(requester: CheckedReceipt['shared']['requester']): string {
  const { agent_name: agent, display_name } = requester
  const person = drawableName(personName(requester), display_name)
  if (agent === undefined) return person
  return drawableName(quotedName(agent), m.r_an_agent_of_person({ person }))
}

function NoReceipt() {
  return (
    <div style={{ display: 'flex', flexDirection: 'column' }}>
      <div style={{ fontSize: 92, fontWeight: 700, letterSpacing: -2 }}>{m.r_no_such_receipt()}</div>
    </div>
  )
}
