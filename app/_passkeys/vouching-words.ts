/** Why a person would let an older passkey vouch for a newer one. */
export const vouchingWords =
  'When an older passkey vouches for a newer one, sites that know the older one accept the newer one without asking Beak.'
