/** The five rooms of the account. Every page of a signed-in person leads to them. */
import { m } from '@/lib/kernel/messages'
import { settingsPages } from './account-pages'

export interface Room {
  name: 'inbox' | 'agents' | 'certificate' | 'activity' | 'settings'
  label: () => string
  href: string
  /** The addresses of the room. Pages below them belong to it too. */
  pages: string[]
}

const settings = settingsPages.map(({ href }) => href)

export const rooms: Room[] = [
  { name: 'inbox', label: m.rooms_inbox, href: '/pecks', pages: ['/pecks'] },
  // The page of an agent at `/agents/AGT-…` is public.
  {
    name: 'agents',
    label: m.rooms_agents,
    href: '/agents',
    pages: ['/agents/new', '/agents/manage', '/connect', '/device', '/rules'],
  },
  { name: 'certificate', label: m.rooms_certificate, href: '/certificate', pages: ['/certificate'] },
  { name: 'activity', label: m.rooms_activity, href: '/audit', pages: ['/audit'] },
  { name: 'settings', label: m.rooms_settings, href: '/profile', pages: settings },
]
