export interface AccountPage {
  href: string
  label: string
  hint: string
  /** `g` and this letter lead to the page. */
  letter: string
}

/** The pages of the account, as the navigation and the command palette name them. `robots.txt` keeps crawlers away from them. */
export const accountPages: AccountPage[] = [
  { href: '/home', label: 'Home', hint: 'Overview', letter: 'h' },
  { href: '/pecks', label: 'Pecks', hint: 'Inbox, waiting requests', letter: 'i' },
  { href: '/agents', label: 'Agents', hint: 'Your agents', letter: 'a' },
  { href: '/certificate', label: 'Certificate', hint: 'Birth certificate', letter: 'c' },
  { href: '/profile', label: 'Profile', hint: 'Name, tier, directory', letter: 'p' },
  { href: '/notifications', label: 'Notifications', hint: 'Mail, reminders, quiet hours', letter: 'n' },
  { href: '/security', label: 'Security', hint: 'Settings, passkeys, sessions, phone', letter: 's' },
  { href: '/webhooks', label: 'Webhooks', hint: 'Notify your service', letter: 'w' },
  { href: '/audit', label: 'Audit log', hint: 'All events of your account', letter: 'l' },
  { href: '/account', label: 'Account', hint: 'Export, delete', letter: 'd' },
]
