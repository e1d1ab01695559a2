/** What the first event of every chain has for `prev_hash`. By itself, so that a check of a chain needs no database. */
export const chainStart = '0'.repeat(64)
