/** The entries of the command palette, and what they are made from. */
import type { Theme } from '../theme'
import type { InboxCommand } from './commands'

/** The groups, in their order. */
export const groups = ['Pages', 'Actions', 'Agents', 'Requests'] as const

type PaletteAct =
  | { href: string }
  | { command: InboxCommand }
  | { theme: Theme }
  | { opens: 'shortcut_help' }
  | { pauses: 'everything' }

/** What the command palette leads to or does. */
export interface PaletteEntry {
  key: string
  group: (typeof groups)[number]
  /** Words of the service, or a name that the viewer chose. */
  label: string
  /** Words of somebody else, shown apart from the label. They must not look like one. */
  quoted?: string
  /** More words that find the entry, shown beside it. */
  hint: string
  act: PaletteAct
}

/** A waiting request, as the inbox shows it. */
export interface PaletteRequest {
  id: string
  asker: string
  ownerId: string
  /** An agent's name in quotation marks, or a person's name. */
  name: string
  /** Who is behind an agent: "you" or a name. Null for a person. */
  operator: string | null
  /** What tells the person from others with the same name. Null for the viewer. */
  owner: { handle?: string | undefined } | null
  words: string
  value: string | null
  risk: 'low' | 'medium' | 'high'
  isFirstContact: boolean
  /** It is in the asker's own words. */
  isFreeText: boolean
  /** Its permission may be used any number of times, and it has an amount. */
  costsRepeatedly: boolean
  needsPasskey: boolean
}

/** What `GET /api/palette` answers. */
export interface PaletteData {
  /** The person wants a passkey for each approval, so none can be approved together. */
  isPasskeyRequired: boolean
  isBuilder: boolean
  /** Whether everything that may happen without asking is paused. */
  isPaused: boolean
  agents: { id: string; name: string; status: string }[]
  requests: PaletteRequest[]
}
