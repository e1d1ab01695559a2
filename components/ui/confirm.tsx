'use client'

import * as Dialog from '@radix-ui/react-alert-dialog'
import type { ReactNode } from 'react'
import { type ButtonKind, buttonClass } from './button'

interface ConfirmProps {
  /** The button that opens it. */
  trigger: string
  triggerKind?: ButtonKind
  title: string
  /** What will happen, and what cannot be undone. */
  text: ReactNode
  /** The form that does it; its own button says what. */
  children: ReactNode
}

/** Asks before something that cannot be undone. The way out has the focus. */
export function Confirm({ trigger, triggerKind = 'danger', title, text, children }: ConfirmProps) {
  return (
    <Dialog.Root>
      <Dialog.Trigger className={buttonClass(triggerKind)}>{trigger}</Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 bg-black/45" />
        <Dialog.Content className="fixed inset-x-4 top-1/2 z-50 mx-auto grid max-h-[85dvh] max-w-lg -translate-y-1/2 gap-4 overflow-auto rounded-card border border-line bg-surface p-6 shadow-card">
          <Dialog.Title className="font-display text-xl font-semibold">{title}</Dialog.Title>
          <Dialog.Description asChild>
            <div className="text-sm text-soft">{text}</div>
          </Dialog.Description>
          {children}
          <Dialog.Cancel className={buttonClass('plain', 'justify-self-start')}>
            Leave it as it is
          </Dialog.Cancel>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
