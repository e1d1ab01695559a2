import type { ResponseOf } from '@/app/beak/_api/lines'

export type AuditEvent = ResponseOf<'GET /beak/audit'>['items'][number]
