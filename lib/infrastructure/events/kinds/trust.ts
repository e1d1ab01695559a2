import { m } from '@/lib/kernel/messages'
import { exampleId, exampleNextDay, exampleTime } from './examples'
import { type Kinds, message } from './kind'
import {
  CertificateIssuedData,
  CertificateRevokedData,
  exampleCertificate,
  TierEventData,
} from './trust-data'

export const trustEvents = {
  'trust.challenged': { label: m.events_trust_challenged_label, did: m.events_trust_challenged_did },
  'trust.elevated': {
    label: m.events_trust_elevated_label,
    did: m.events_trust_elevated_did,
    tried: m.events_trust_elevated_tried,
    webhook: message(m.events_trust_elevated_when, TierEventData, {
      duckling_id: exampleId('DUCK'),
      previous_tier: 'T1',
      trust_tier: 'T2',
    }),
  },
  'trust.lowered': {
    label: m.events_trust_lowered_label,
    whole: m.events_trust_lowered_whole,
    webhook: message(m.events_trust_lowered_when, TierEventData, {
      duckling_id: exampleId('DUCK'),
      previous_tier: 'T2',
      trust_tier: 'T1',
    }),
  },
  'cert.issued': {
    label: m.events_cert_issued_label,
    did: m.events_cert_issued_did,
    tried: m.events_cert_issued_tried,
    webhook: message(m.events_cert_issued_when, CertificateIssuedData, {
      ...exampleCertificate,
      issued_at: exampleTime,
      supersedes: null,
    }),
  },
  'cert.superseded': {
    label: m.events_cert_superseded_label,
    whole: m.events_cert_superseded_whole,
  },
  'cert.resigned': {
    label: m.events_cert_resigned_label,
    whole: m.events_cert_resigned_whole,
  },
  'cert.revoked': {
    label: m.events_cert_revoked_label,
    did: m.events_cert_revoked_did,
    tried: m.events_cert_revoked_tried,
    webhook: message(m.events_cert_revoked_when, CertificateRevokedData, {
      ...exampleCertificate,
      revoked_at: exampleNextDay,
    }),
  },
} satisfies Kinds
