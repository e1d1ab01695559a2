const units = [
  { name: 'day', seconds: 86_400, from: 2 },
  { name: 'hour', seconds: 3600, from: 1 },
  { name: 'minute', seconds: 60, from: 1 },
  { name: 'second', seconds: 1, from: 0 },
]

/** Returns a length of time in the largest unit that divides it: "24 hours", "30 days", "90 seconds". */
export function duration(seconds: number): string {
  for (const unit of units) {
    const amount = seconds / unit.seconds
    if (Number.isInteger(amount) && amount >= unit.from)
      return `${amount} ${unit.name}${amount === 1 ? '' : 's'}`
  }
  return `${seconds} seconds`
}
