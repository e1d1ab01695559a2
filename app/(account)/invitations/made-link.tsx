'use client'

import { Share2 } from 'lucide'
import { useEffect, useState } from 'react'
import { buttonClass } from '@/components/ui/button-class'
import { CopyBlock } from '@/components/ui/copy'
import { useAnswer } from '@/components/ui/form'
import { Icon } from '@/components/ui/icon'
import { m } from '@/lib/kernel/messages'

/** The link that the form has just made. */
export function MadeLink() {
  const { status, data } = useAnswer<{ url: string }>()
  return status === 'succeeded' && data !== undefined ? <LinkToShare url={data.url} /> : null
}

/** A link, with buttons that copy it and that open what the device shares with. */
export function LinkToShare({ url }: { url: string }) {
  const [canShare, setCanShare] = useState(false)
  useEffect(() => setCanShare('share' in navigator), [])
  // A person who closes the sheet has not failed at anything.
  const share = () => navigator.share({ url }).catch(() => undefined)
  return (
    <div className="grid min-w-0 gap-3">
      <CopyBlock text={url} label={m.invitations_link()} copyLabel={m.invitations_copy_link()} />
      {canShare ? (
        <button type="button" onClick={share} className={buttonClass('primary', 'justify-self-start')}>
          <Icon of={Share2} size={16} />
          {m.invitations_share()}
        </button>
      ) : null}
    </div>
  )
}
