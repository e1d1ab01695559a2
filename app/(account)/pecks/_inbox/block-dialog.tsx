'use client'

import { useState } from 'react'
import type { Blockable } from '@/app/_shell/palette/commands'
import { Sentence } from '@/components/sentence'
import { buttonClass } from '@/components/ui/button-class'
import { DialogButtons } from '@/components/ui/dialog-buttons'
import { Modal } from '@/components/ui/modal'
import { m } from '@/lib/kernel/messages'
import { blockPerson } from './actions'
import { unreachable } from './bulk'

interface BlockDialogProps {
  duckling: Blockable
  onClose: () => void
  /** Called with what the block has hidden, in words. */
  onBlocked: (message: string) => void
}

/** Asks before it blocks a person. Cancel comes first and has the focus: a key that is pressed by mistake must not block. */
export default function BlockDialog({ duckling: { id, name, mark }, onClose, onBlocked }: BlockDialogProps) {
  const [isBusy, setIsBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  async function block() {
    if (isBusy) return
    setIsBusy(true)
    const answer = await blockPerson(id).catch(() => unreachable)
    setIsBusy(false)
    if (!answer.ok) return setFailure(answer.message)
    onBlocked(answer.message)
    onClose()
  }
  return (
    <Modal
      title={<Sentence of={m.inbox_block_name_mark} with={{ name, mark }} />}
      onClose={() => !isBusy && onClose()}
    >
      <p className="text-sm text-soft">{m.requests_block_warning()}</p>
      {failure === null ? null : (
        <p role="alert" className="rounded-control bg-warn-wash px-4 py-3 text-sm text-warn">
          {failure}
        </p>
      )}
      <DialogButtons
        safe={
          <button type="button" onClick={() => !isBusy && onClose()} className={buttonClass('plain')}>
            {m.inbox_cancel()}
          </button>
        }
      >
        <button
          type="button"
          aria-disabled={isBusy}
          onClick={() => void block()}
          className={buttonClass('danger')}
        >
          {isBusy ? m.inbox_blocking() : m.inbox_block()}
        </button>
      </DialogButtons>
    </Modal>
  )
}
