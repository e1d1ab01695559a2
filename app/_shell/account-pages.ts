/** The pages of the account, as the navigation and the command palette name them. `robots.txt` keeps crawlers away from them. */
export const accountPages = [
  { href: '/home', label: 'Home', hint: 'Overview' },
  { href: '/pecks', label: 'Pecks', hint: 'Inbox, waiting requests' },
  { href: '/agents', label: 'Agents', hint: 'Your agents' },
  { href: '/certificate', label: 'Certificate', hint: 'Birth certificate' },
  { href: '/profile', label: 'Profile', hint: 'Name, tier, directory' },
  { href: '/notifications', label: 'Notifications', hint: 'Mail, reminders, quiet hours' },
  { href: '/security', label: 'Security', hint: 'Passkeys, sessions, phone' },
  { href: '/webhooks', label: 'Webhooks', hint: 'Notify your service' },
  { href: '/audit', label: 'Audit log', hint: 'All events of your account' },
  { href: '/account', label: 'Account', hint: 'Export, delete' },
]
