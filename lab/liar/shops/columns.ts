/** The shops of the table: what each of them demands before it acts. */
import type { Requirement } from '@beak/client/verify'
import type { Site } from '../people/terms'

export interface Column {
  name: 'default' | 'signed' | 'pins' | 'proven' | 'approver'
  heading: string
  require: Exclude<Requirement, 'service'>
  /** Where Nadia signs. */
  site: Site
  /** Whether the shop is a guard: then it demands a challenge of its own and accepts it once. */
  isGuard: boolean
  hasPins: boolean
  /** Whether the shop has keys of the log and of the witness. */
  hasLogKeys: boolean
  /** Whether the owner has kept an earlier export, the key of the log and the key of the witness. */
  hasKeptExport: boolean
  /** Whether the shop accepts answers of rules. */
  acceptsRules?: true
  /** Whether the shop asks again minutes later, with `logged`. */
  isLater?: true
}

const usual = {
  site: 'service',
  isGuard: false,
  hasPins: false,
  hasLogKeys: false,
  hasKeptExport: true,
} as const

export const columns: readonly Column[] = [
  {
    ...usual,
    name: 'default',
    heading: 'by default',
    require: 'signed',
    isGuard: true,
    hasKeptExport: false,
  },
  { ...usual, name: 'signed', heading: '`signed`', require: 'signed' },
  { ...usual, name: 'pins', heading: '`signed` and pins', require: 'pinned', hasPins: true },
  { ...usual, name: 'proven', heading: '`proven`', require: 'proven', hasLogKeys: true },
  {
    ...usual,
    name: 'approver',
    heading: 'pins and an approver',
    require: 'pinned',
    site: 'approver',
    isGuard: true,
    hasPins: true,
  },
]

/** The same shops minutes later: they ask for `logged`, with the keys of the log and of the witness. */
export const laterColumns: readonly Column[] = columns
  .filter(({ name }) => name !== 'default')
  .map((column) => ({ ...column, hasLogKeys: true, isLater: true }))
