'use client'

import {
  createContext,
  Fragment,
  type ReactNode,
  startTransition,
  useContext,
  useEffect,
  useRef,
  useState,
} from 'react'
import { KeptText } from '../kept-text'
import { ActionForm } from './form'
import type { FormState } from './form-state'

type AnnounceMessage = (message: string, follow: ReactNode) => void

const Announce = createContext<AnnounceMessage>(() => undefined)
/** Counts the announcements. */
const Turn = createContext(0)

/**
 * Surrounds a list whose items disappear after an action, together with their forms and dialogs. Shows the message of the action and
 * takes the focus.
 */
export function Announcements({ children }: { children: ReactNode }) {
  const [{ message, follow, turn }, setAnnounced] = useState<Announced>({
    message: '',
    follow: null,
    turn: 0,
  })
  const line = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    if (turn > 0) line.current?.focus()
  }, [turn])
  return (
    <Announce
      value={(text, next) => setAnnounced((last) => ({ message: text, follow: next, turn: last.turn + 1 }))}
    >
      <div
        className={
          message === ''
            ? 'visually-hidden'
            : 'mb-5 flex flex-wrap items-center justify-between gap-x-6 gap-y-2 rounded-control bg-good-wash px-4 py-3 text-sm text-good'
        }
      >
        <p ref={line} role="status" tabIndex={-1}>
          <KeptText text={message} />
        </p>
        <Fragment key={turn}>{follow}</Fragment>
      </div>
      <Turn value={turn}>{children}</Turn>
    </Announce>
  )
}

/** Mounts its forms anew after each announcement, so that none of them still shows a message that the announcement has overtaken. */
export function UntilAnnounced({ children }: { children: ReactNode }) {
  return <Fragment key={useContext(Turn)}>{children}</Fragment>
}

interface Announced {
  message: string
  follow: ReactNode
  turn: number
}

interface AnnouncedFormProps<T> {
  action: (state: FormState<T>, form: FormData) => Promise<FormState<T>>
  children: ReactNode
  label?: string
  className?: string
  /** Whether a success is announced. Default: always. For forms that go on to another step after some successes. */
  announces?: (state: FormState<T>) => boolean
  /** Stands beside the message of a success, such as a form that undoes it. */
  follow?: ReactNode
}

/** A form that may disappear when it succeeds. The surrounding `Announcements` shows its message. */
export function AnnouncedForm<T>({
  action,
  announces = () => true,
  follow = null,
  ...form
}: AnnouncedFormProps<T>) {
  const announce = useContext(Announce)
  return (
    <ActionForm
      {...form}
      action={async (previous: FormState<T>, data) => {
        const state = await action(previous, data)
        // In the same transition that removes the form: until then, an open dialog keeps the focus.
        if (state.status === 'succeeded' && announces(state))
          startTransition(() => announce(state.message, follow))
        return state
      }}
    />
  )
}
