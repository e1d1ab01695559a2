import type { IconNode } from 'lucide'
import type { ReactNode } from 'react'
import { ButtonLink } from '@/components/ui/button'
import { Icon } from '@/components/ui/icon'

interface PartProps {
  title: string
  icon?: IconNode
  picture?: ReactNode
  /** Where the button leads. */
  href?: string
  button?: string
  /** Stands in the place of the button. */
  action?: ReactNode
  children: ReactNode
}

/** One part of the room "You": its state in words, and one button. */
export function Part({ title, icon, picture, href, button, action, children }: PartProps) {
  return (
    <li className="grid grid-cols-[2.75rem_minmax(0,1fr)] items-center gap-x-4 gap-y-3 py-5 sm:grid-cols-[2.75rem_minmax(0,1fr)_auto]">
      <span className="grid size-11 place-items-center text-soft max-sm:self-start">
        {picture ?? (icon === undefined ? null : <Icon of={icon} size={22} />)}
      </span>
      <div className="min-w-0">
        <h2 className="text-base leading-snug">{title}</h2>
        <div className="mt-0.5 text-sm text-soft wrap-anywhere">{children}</div>
      </div>
      {action === undefined ? null : (
        <div className="max-sm:col-start-2 max-sm:justify-self-start">{action}</div>
      )}
      {href === undefined ? null : (
        <ButtonLink href={href} className="max-sm:col-start-2 max-sm:justify-self-start">
          {button} <span className="visually-hidden">{title}</span>
        </ButtonLink>
      )}
    </li>
  )
}
