/** The parts of the domain, as the API reference groups its operations. */

export interface Tag {
  name: string
  /** The title of the part in the reference. */
  title: string
  description: string
}

interface Part extends Tag {
  /** The first words of the paths in this part. */
  words: readonly string[]
}

const parts: readonly Part[] = [
  {
    name: 'identity',
    title: 'Identity',
    description: 'Sign up, sign in, prove more about yourself, and close your account.',
    words: [
      'signup',
      'signin',
      'signout',
      'verify-email',
      'email-change',
      'passkey',
      'approver',
      'session',
      'device',
      'account',
      'trust',
      'profile',
      'name-change',
      'handle',
      'notifications',
      'channel',
      'spaceducks',
    ],
  },
  {
    name: 'certificates',
    title: 'Certificates',
    description: "Issue and revoke your birth certificate, and check other people's.",
    words: ['cert', 'status-list'],
  },
  {
    name: 'pecks',
    title: 'Pecks',
    description: 'Ask a person for permission, answer, use the permission, and prove it later.',
    words: ['peck', 'invitation', 'contact'],
  },
  {
    name: 'rules',
    title: 'Rules',
    description: 'Let a rule that you sign once answer requests for you, within a budget.',
    words: ['rule'],
  },
  {
    name: 'agents',
    title: 'Agents',
    description: 'Register, bond and stop agents, and manage their beak keys.',
    words: ['agent', 'consent', 'key'],
  },
  {
    name: 'sso',
    title: 'SSO',
    description: 'Use your sign-in at another domain, and let people sign in at your site.',
    words: ['sso', 'site'],
  },
  {
    name: 'webhooks',
    title: 'Webhooks',
    description: 'Get signed messages when something happens.',
    words: ['webhook'],
  },
  {
    name: 'audit',
    title: 'Audit log',
    description:
      'Everything that happened in an account, as a hash chain, and the transparency log that covers all chains.',
    words: ['audit', 'tlog'],
  },
  {
    name: 'platform',
    title: 'Platform',
    description: 'The status and the keys of the service, and how to reach the people who run it.',
    words: [
      '',
      'openapi.json',
      'jwks.json',
      'oauth-protected-resource',
      'system',
      'metrics',
      'pageview',
      'newsletter',
      'support',
    ],
  },
]

export const tags: readonly Tag[] = parts.map(({ words: _, ...tag }) => tag)

/** Returns the name of the part that a path below `/beak` or `/.well-known` belongs to. Throws when no part names it. */
export function tagOf(path: string): string {
  const word = path.split('/')[2] ?? ''
  const part = parts.find(({ words }) => words.includes(word))
  if (part === undefined) throw new Error(`lib/http/tags.ts names no part for ${path}`)
  return part.name
}
