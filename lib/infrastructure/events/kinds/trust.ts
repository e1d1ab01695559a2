/** What webhooks tell about tiers, certificates and the removal of passkeys. */

import { z } from 'zod'
import { m } from '@/lib/kernel/messages'
import { instant, tier } from '@/lib/kernel/request/fields'
import { exampleId, exampleNextDay, exampleTime, type Kinds, message } from './kind'

const TierEventData = z
  .object({
    duckling_id: z.string().meta({ description: 'You, the owner of the endpoint.' }),
    previous_tier: tier.meta({ description: 'The tier before the change.' }),
    trust_tier: tier.meta({ description: 'The tier since the change.' }),
  })
  .meta({ id: 'TierEventData', description: 'A change of your trust tier.' })

const CertificateIssuedData = z
  .object({
    cert_id: z.string().meta({ description: 'The number of the certificate.' }),
    duckling_id: z.string().meta({ description: 'You, the owner of the endpoint.' }),
    tier: tier.meta({ description: 'The tier that it confirms.' }),
    issued_at: instant.meta({ description: 'When it was issued.' }),
    supersedes: z
      .string()
      .nullable()
      .meta({ description: 'The certificate that the new certificate replaces.' }),
  })
  .meta({ id: 'CertificateIssuedData', description: 'A new certificate of yours.' })

const CertificateRevokedData = z
  .object({
    cert_id: z.string().meta({ description: 'The number of the certificate.' }),
    duckling_id: z.string().meta({ description: 'You, the owner of the endpoint.' }),
    tier: tier.meta({ description: 'The tier that it confirmed.' }),
    revoked_at: instant.meta({ description: 'When it was revoked.' }),
  })
  .meta({ id: 'CertificateRevokedData', description: 'A revoked certificate of yours.' })

export const RecoveryEventData = z
  .object({
    duckling_id: z.string().meta({ description: 'You, the owner of the endpoint.' }),
    requested_at: instant.meta({ description: 'When somebody asked for it.' }),
    removes_at: instant.meta({ description: 'When the passkeys are removed.' }),
  })
  .meta({
    id: 'RecoveryEventData',
    description: 'The removal of all passkeys, 24 hours after somebody asked for it.',
  })

export const ApproverEventData = z
  .object({
    duckling_id: z.string().meta({ description: 'You, the owner of the endpoint.' }),
    origin: z.string().meta({ description: 'The origin of the approver.' }),
    removes_at: instant.meta({ description: 'When the approver is removed.' }),
  })
  .meta({
    id: 'ApproverEventData',
    description: 'The removal of the approver, 24 hours after somebody asked for it.',
  })

export const exampleApprover = {
  duckling_id: exampleId('DUCK'),
  origin: 'https://approve.example',
  removes_at: exampleNextDay,
} satisfies z.input<typeof ApproverEventData>

const exampleCertificate = {
  cert_id: exampleId('CERT'),
  duckling_id: exampleId('DUCK'),
  tier: 'T2',
} as const

export const exampleRecovery = {
  duckling_id: exampleId('DUCK'),
  requested_at: exampleTime,
  removes_at: exampleNextDay,
} satisfies z.input<typeof RecoveryEventData>

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
