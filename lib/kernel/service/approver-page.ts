/** The page of the approver of this release (docs/approver.md). */

// The build inserts the value (scripts/prepare.mjs and next.config.mjs), so the server reads no file of the build.
const built = process.env.BEAK_APPROVER_PAGE ?? ''

/** SHA-256 of the built page, in hex. Null when the server was not built, as in development and in tests. */
export const approverPageDigest: string | null = /^[\da-f]{64}$/.test(built) ? built : null
