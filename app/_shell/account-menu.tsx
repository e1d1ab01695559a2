/** The menu at the duck in the header: a disclosure of the browser, so that it works with the keyboard and without scripts. */

import { personName } from '@beak/decision/person-name'
import { ChevronDown, CirclePause, Keyboard, LogOut, User } from 'lucide'
import type { Viewer } from '@/app/_web/viewer'
import { Duck } from '@/components/duck'
import { Icon } from '@/components/ui/icon'
import { Link } from '@/components/ui/link'
import { PlainForm } from '@/components/ui/plain-form'
import { Pill } from '@/components/ui/surface'
import { m } from '@/lib/kernel/messages'
import { tierLabel } from '@/lib/kernel/text/tier-words'
import { pauseEverything, signOut } from './actions'
import { MenuFold } from './menu-fold'
import { ShortcutsItem } from './shortcuts/shortcuts-item'

const menuItem =
  'flex min-h-11 w-full items-center gap-3 rounded-control px-3 text-start text-sm whitespace-nowrap text-ink no-underline hover:bg-sunken'

/** `isPaused`: whether what may happen without asking is paused. Resuming needs the passkey, so it leads to the room "Allowed". */
export function AccountMenu({ viewer, isPaused }: { viewer: Viewer; isPaused: boolean }) {
  return (
    <MenuFold
      label={m.shell_account_menu()}
      opener={
        <>
          <Duck id={viewer.duckling_id} size={34} />
          <span className="min-w-0 max-w-40 truncate max-xl:hidden" title={personName(viewer)}>
            <bdi translate="no">{personName(viewer)}</bdi>
          </span>
          <Icon of={ChevronDown} size={16} className="shrink-0 text-soft" />
        </>
      }
    >
      <p className="flex items-center gap-2 px-3 py-2 text-sm font-semibold">
        <bdi translate="no" className="min-w-0 truncate">
          {personName(viewer)}
        </bdi>
        {viewer.trust_tier === 'T0' ? <Pill tone="warn">{tierLabel(viewer.trust_tier)}</Pill> : null}
      </p>
      <ul>
        <li>
          <Link href="/you" className={menuItem}>
            <Icon of={User} size={18} />
            {m.shell_menu_you()}
          </Link>
        </li>
        <li>
          {isPaused ? (
            <Link href="/allowed" className={menuItem}>
              <Icon of={CirclePause} size={18} />
              {m.shell_menu_paused()}
            </Link>
          ) : (
            <PlainForm action={pauseEverything}>
              <button type="submit" title={m.rules_pause_all_title()} className={menuItem}>
                <Icon of={CirclePause} size={18} />
                {m.rules_pause_all()}
              </button>
            </PlainForm>
          )}
        </li>
        <li className="noscript:hidden pointer-coarse:hidden">
          <ShortcutsItem className={menuItem}>
            <Icon of={Keyboard} size={18} />
            {m.shell_menu_shortcuts()}
          </ShortcutsItem>
        </li>
        <li>
          <PlainForm action={signOut} countsOnce={false}>
            <button type="submit" className={menuItem}>
              <Icon of={LogOut} size={18} />
              {m.shell_sign_out()}
            </button>
          </PlainForm>
        </li>
      </ul>
    </MenuFold>
  )
}
