/** Where a call came from. `now` is read once for each call. */
export interface Origin {
  now: Date
  requestId: string | null
  ip: string | null
  userAgent: string | null
}
