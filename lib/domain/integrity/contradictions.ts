/** What a check of the data finds: rules, and the rows that break them. */

/** A rule that some rows break. */
export interface Contradiction {
  /** The rule, as a sentence without a full stop. */
  rule: string
  /** The first rows that break it. */
  rows: string[]
  /** How many rows break it. */
  count: number
}

/** Rows that are named for each rule. A damaged database may have millions. */
const namedMax = 20

/** Collects the rows that break one rule. */
export class Collected {
  readonly rows: string[] = []
  count = 0

  constructor(readonly rule: string) {}

  add(row: string): void {
    this.count++
    if (this.rows.length < namedMax) this.rows.push(row)
  }
}
