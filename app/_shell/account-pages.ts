import { m } from '@/lib/kernel/messages'

export interface AccountPage {
  href: string
  label: () => string
  hint: () => string
  /** `g` and this letter lead to the page. */
  letter: string
  /** Only people who build or host see it in the navigation. */
  isForBuilders?: true
}

/** The pages of the room "You", as their own navigation names them. */
export const settingsPages: AccountPage[] = [
  { href: '/profile', label: m.pages_profile, hint: m.pages_profile_page_hint, letter: 'p' },
  { href: '/certificate', label: m.pages_certificate, hint: m.pages_certificate, letter: 'c' },
  { href: '/security', label: m.pages_security, hint: m.pages_tier_passkeys_sessions_phone, letter: 's' },
  {
    href: '/notifications',
    label: m.pages_notifications,
    hint: m.pages_mail_reminders_quiet_hours,
    letter: 'n',
  },
  {
    href: '/invitations',
    label: m.pages_invitations,
    hint: m.pages_ask_links_page_hint,
    letter: 'k',
  },
  { href: '/account', label: m.pages_data, hint: m.pages_account_export_or_delete_your_data, letter: 'd' },
  {
    href: '/webhooks',
    label: m.pages_webhooks,
    hint: m.pages_notify_your_service,
    letter: 'w',
    isForBuilders: true,
  },
  { href: '/sites', label: m.pages_sites, hint: m.pages_sites_hint, letter: 't', isForBuilders: true },
]

/** Returns the pages that a person sees in the navigation. */
export const shownPages = (pages: AccountPage[], isBuilder: boolean) =>
  pages.filter(({ isForBuilders }) => isBuilder || !isForBuilders)

/** The pages of the account, as the command palette names them. `robots.txt` keeps crawlers away from them. */
export const accountPages: AccountPage[] = [
  { href: '/home', label: m.pages_home, hint: m.pages_overview, letter: 'h' },
  { href: '/pecks', label: m.pages_inbox, hint: m.pages_waiting_requests, letter: 'i' },
  { href: '/allowed', label: m.pages_allowed, hint: m.pages_allowed_hint, letter: 'a' },
  { href: '/audit', label: m.pages_activity, hint: m.pages_audit_log_all_events_your_account, letter: 'l' },
  { href: '/you', label: m.pages_you, hint: m.pages_you_hint, letter: 'y' },
  ...settingsPages,
]
