/** Returns the verdict of several judges. Throws when they do not agree, because then the table would say less than the truth. */
export function agree(what: string, verdicts: Record<string, boolean>): boolean {
  const [first = false, ...others] = Object.values(verdicts)
  if (others.some((verdict) => verdict !== first))
    throw new Error(`${what}: the judges do not agree: ${JSON.stringify(verdicts)}`)
  return first
}
