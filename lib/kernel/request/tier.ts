/** The trust tiers. */
export const tiers = ['T0', 'T1', 'T2', 'T3'] as const
export type Tier = (typeof tiers)[number]

/** Tells whether `tier` is at least `required`. */
export function reaches(tier: Tier, required: Tier): boolean {
  return tiers.indexOf(tier) >= tiers.indexOf(required)
}

export function lowerTier(left: Tier, right: Tier): Tier {
  return reaches(left, right) ? right : left
}
