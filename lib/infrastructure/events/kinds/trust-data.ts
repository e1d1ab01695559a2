/** What webhooks tell about tiers, certificates and the removal of passkeys. */
import { z } from 'zod'
import { instant, tier } from '@/lib/kernel/fields'
import { exampleId, exampleNextDay, exampleTime } from './examples'

export const TierEventData = z
  .object({
    duckling_id: z.string().meta({ description: 'You, the owner of the endpoint.' }),
    previous_tier: tier.meta({ description: 'The tier before the change.' }),
    trust_tier: tier.meta({ description: 'The tier since the change.' }),
  })
  .meta({ id: 'TierEventData', description: 'A change of your trust tier.' })

export const CertificateIssuedData = z
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

export const CertificateRevokedData = z
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

export const exampleCertificate = {
  cert_id: exampleId('CERT'),
  duckling_id: exampleId('DUCK'),
  tier: 'T2',
} as const

export const exampleRecovery = {
  duckling_id: exampleId('DUCK'),
  requested_at: exampleTime,
  removes_at: exampleNextDay,
} satisfies z.input<typeof RecoveryEventData>
