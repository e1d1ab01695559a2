/** What a browser says about its person. */
export interface Browser {
  /** IANA name. */
  timeZone: string | null
  /** BCP 47 tag. */
  language: string | null
}

/** Where a call came from. `now` is read once for each call. */
export interface Origin {
  now: Date
  requestId: string | null
  ip: string | null
  userAgent: string | null
  /** Read only by a sign-up or sign-in: checking a time zone costs more than the rest of a small call. */
  readBrowser?: () => Browser | undefined
}
