'use client'

import {
  createContext,
  type ReactNode,
  startTransition,
  useContext,
  useEffect,
  useRef,
  useState,
} from 'react'
import type { FormState } from '@/app/_web/form'
import { ActionForm } from './form'

const Announce = createContext<(message: string) => void>(() => undefined)

/**
 * Surrounds a list whose items disappear after an action, together with their forms and dialogs. Shows the message of the action and
 * takes the focus.
 */
export function Announcements({ children }: { children: ReactNode }) {
  const [announced, setAnnounced] = useState({ message: '', turn: 0 })
  const line = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    if (announced.turn > 0) line.current?.focus()
  }, [announced])
  return (
    <Announce value={(message) => setAnnounced(({ turn }) => ({ message, turn: turn + 1 }))}>
      <p
        ref={line}
        role="status"
        tabIndex={-1}
        className={
          announced.message === ''
            ? 'visually-hidden'
            : 'mb-5 rounded-control bg-good-wash px-4 py-3 text-sm text-good'
        }
      >
        {announced.message}
      </p>
      {children}
    </Announce>
  )
}

interface AnnouncedFormProps<T> {
  action: (state: FormState<T>, form: FormData) => Promise<FormState<T>>
  children: ReactNode
  label?: string
  className?: string
  /** Whether a success is announced. Default: always. For forms that go on to another step after some successes. */
  announces?: (state: FormState<T>) => boolean
}

/** A form that may disappear when it succeeds. The surrounding `Announcements` shows its message. */
export function AnnouncedForm<T>({ action, announces = () => true, ...form }: AnnouncedFormProps<T>) {
  const announce = useContext(Announce)
  return (
    <ActionForm
      {...form}
      action={async (previous: FormState<T>, data) => {
        const state = await action(previous, data)
        // In the same transition that removes the form: until then, an open dialog keeps the focus.
        if (state.status === 'succeeded' && announces(state)) startTransition(() => announce(state.message))
        return state
      }}
    />
  )
}
