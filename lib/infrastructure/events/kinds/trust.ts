import { exampleId, exampleNextDay, exampleTime } from './examples'
import { type Kinds, message } from './kind'
import {
  CertificateIssuedData,
  CertificateRevokedData,
  exampleCertificate,
  TierEventData,
} from './trust-data'

export const trustEvents = {
  'trust.challenged': { label: 'Phone code asked for', did: 'asked for a code to confirm the phone' },
  'trust.elevated': {
    label: 'Tier raised',
    did: 'reached trust tier {to}',
    tried: 'rise to a higher tier',
    webhook: message('You reached a higher tier', TierEventData, {
      duckling_id: exampleId('DUCK'),
      previous_tier: 'T1',
      trust_tier: 'T2',
    }),
  },
  'trust.lowered': {
    label: 'Tier lowered',
    whole: 'Your trust tier fell to {to}: your phone number was verified for another account',
    webhook: message('You fell to a lower tier', TierEventData, {
      duckling_id: exampleId('DUCK'),
      previous_tier: 'T2',
      trust_tier: 'T1',
    }),
  },
  'cert.issued': {
    label: 'Certificate issued',
    did: 'issued the birth certificate at {tier}',
    tried: 'issue a birth certificate',
    webhook: message('You were issued a certificate', CertificateIssuedData, {
      ...exampleCertificate,
      issued_at: exampleTime,
      supersedes: null,
    }),
  },
  'cert.superseded': {
    label: 'Certificate superseded',
    whole: 'A newer birth certificate took the place of the one at {tier}',
  },
  'cert.resigned': {
    label: 'Certificate signed again',
    whole: 'Beak signed your certificate again, because the key that had signed it may have been stolen',
  },
  'cert.revoked': {
    label: 'Certificate revoked',
    did: 'revoked the birth certificate',
    tried: 'revoke the birth certificate',
    webhook: message('Your certificate was revoked', CertificateRevokedData, {
      ...exampleCertificate,
      revoked_at: exampleNextDay,
    }),
  },
} satisfies Kinds
