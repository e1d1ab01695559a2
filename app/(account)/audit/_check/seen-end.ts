/** The end of a log that this browser saw. It shows whether the log was rewritten and signed again. */
export interface SeenEnd {
  seq: number
  hash: string
  signed_at: string
}

const key = (ducklingId: string) => `beak.audit.${ducklingId}`

/** Returns the end that this browser saw last. Null even when the browser blocks storage. */
export function recallEnd(ducklingId: string): SeenEnd | null {
  try {
    return JSON.parse(localStorage.getItem(key(ducklingId)) ?? 'null') as SeenEnd | null
  } catch {
    return null
  }
}

export function storeEnd(ducklingId: string, end: SeenEnd): void {
  try {
    localStorage.setItem(key(ducklingId), JSON.stringify(end))
  } catch {
    // Without storage every check is a first check.
  }
}
