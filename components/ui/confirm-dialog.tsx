'use client'

import * as Dialog from '@radix-ui/react-alert-dialog'
import type { ReactNode, RefObject } from 'react'
import { m } from '@/lib/kernel/messages'
import { buttonClass } from './button-class'
import { CancelButton } from './confirm-buttons'

interface ConfirmDialogProps {
  title: ReactNode
  text: ReactNode
  children: ReactNode
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
  /** Gets the focus back when the dialog closes. */
  opener: RefObject<HTMLElement | null>
}

/** The dialog of `Confirm`, in its own module, so that it is loaded only when it opens. */
export default function ConfirmDialog({
  title,
  text,
  children,
  isOpen,
  onOpenChange,
  opener,
}: ConfirmDialogProps) {
  return (
    <Dialog.Root open={isOpen} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 bg-black/45" />
        <Dialog.Content
          onCloseAutoFocus={() => opener.current?.focus()}
          className="fixed inset-x-4 top-1/2 z-50 mx-auto grid max-h-[85dvh] max-w-lg -translate-y-1/2 grid-cols-[minmax(0,1fr)] gap-4 overflow-auto rounded-card border border-line bg-surface p-6 shadow-card"
        >
          <Dialog.Title className="font-display text-xl font-semibold wrap-anywhere">{title}</Dialog.Title>
          <Dialog.Description asChild>
            <div className="text-sm text-soft wrap-anywhere">{text}</div>
          </Dialog.Description>
          <CancelButton
            value={<Dialog.Cancel className={buttonClass('plain')}>{m.common_cancel()}</Dialog.Cancel>}
          >
            {children}
          </CancelButton>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
