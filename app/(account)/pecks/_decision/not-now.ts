/** The reason that "Not now" sends. The requester reads it. */
export const notNow = 'Not now'
