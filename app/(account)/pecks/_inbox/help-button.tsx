'use client'

import { Keyboard } from 'lucide'
import { openHelp } from '@/app/_shell/shortcuts/open-help'
import { Icon } from '@/components/ui/icon'
import { m } from '@/lib/kernel/messages'

/** Opens the help for shortcuts. */
export function HelpButton() {
  return (
    <button
      type="button"
      onClick={openHelp}
      aria-haspopup="dialog"
      title={m.inbox_keyboard_shortcuts()}
      className="grid size-11 place-items-center rounded-control text-soft hover:bg-sunken hover:text-ink max-lg:hidden"
    >
      <Icon of={Keyboard} size={19} />
      <span className="visually-hidden">{m.inbox_keyboard_shortcuts_2()}</span>
    </button>
  )
}
