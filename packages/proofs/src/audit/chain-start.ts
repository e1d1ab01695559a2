/** The `prev_hash` of the first event of every chain. */
export const chainStart = '0'.repeat(64)
