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

const Say = createContext<(message: string) => void>(() => undefined)

/**
 * Around a list whose items go away when something is done to them, their forms and dialogs with them: says what came of it,
 * and takes the focus that would be lost.
 */
export function Announcements({ children }: { children: ReactNode }) {
  const [said, setSaid] = useState({ message: '', turn: 0 })
  const place = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    if (said.turn > 0) place.current?.focus()
  }, [said])
  return (
    <Say value={(message) => setSaid(({ turn }) => ({ message, turn: turn + 1 }))}>
      <p
        ref={place}
        role="status"
        tabIndex={-1}
        className={
          said.message === ''
            ? 'visually-hidden'
            : 'mb-5 rounded-control bg-good-wash px-4 py-3 text-sm text-good'
        }
      >
        {said.message}
      </p>
      {children}
    </Say>
  )
}

interface AnnouncedFormProps<T> {
  action: (state: FormState<T>, form: FormData) => Promise<FormState<T>>
  children: ReactNode
  label?: string
  className?: string
  /** Which successes are told, where the form goes on after others. */
  tells?: (state: FormState<T>) => boolean
}

/** A form that may not be there any more once it has succeeded: the `Said` around it tells what came of it. */
export function AnnouncedForm<T>({ action, tells = () => true, ...form }: AnnouncedFormProps<T>) {
  const say = useContext(Say)
  return (
    <ActionForm
      {...form}
      action={async (previous: FormState<T>, data) => {
        const state = await action(previous, data)
        // Within the transition that takes the form away: before it is gone, an open dialog holds the focus.
        if (state.status === 'succeeded' && tells(state)) startTransition(() => say(state.message))
        return state
      }}
    />
  )
}
