import { viewCertificate } from '@/lib/domain/certs/read'
import { Certificate } from '@/lib/domain/certs/schema'
import { endpoint } from '@/lib/http/endpoint'

export const GET = endpoint({
  operationId: 'getCertificate',
  summary: 'See your birth certificate',
  description: 'Returns your newest certificate, with any status.',
  remarks: [
    '`credential` is a W3C Verifiable Credential 2.0 as a signed JWT (`vc+jwt`) with a bitstring status list, so anybody can check it offline (`verifyCertificate` of `@beak/client/verify`). `issued_name` is the name that people saw at the issue. Pages, badges and images show it.',
  ],
  auth: 'session-or-agent',
  capability: 'read:cert',
  limit: 'authenticated',
  response: Certificate,
  failures: ['certificate_not_found'],
  handle: (context) => viewCertificate(context),
})
