/** A request for `read:profile`: the service itself acts on its param `fields`, so its own words may mention the email address. */
export function wantsEmail(action: string, { fields }: Record<string, unknown>): boolean {
  return action === 'read:profile' && Array.isArray(fields) && fields.includes('email')
}
