import type { Kinds } from './kind'

export const ssoEvents = {
  'sso.issued': {
    label: 'SSO token issued',
    did: 'issued an SSO token for {target_domain}',
    tried: 'issue an SSO token',
  },
  'sso.bridged': {
    label: 'SSO token bridged',
    did: 'signed in at {target_domain} with an SSO token',
    tried: 'bridge an SSO token',
  },
} satisfies Kinds
