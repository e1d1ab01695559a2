/** The name of this computer, as people see it on the pages. */
import { hostname } from 'node:os'

/** Returns the host name without its domain, in characters that a name may have. */
export const computerName = (): string =>
  (hostname().split('.')[0] ?? '').replace(/[^\w-]/g, '').slice(0, 32) || 'this computer'
