import type { Metadata } from 'next'
import { withProblemPage } from '@/app/_shell/problem-page'
import { requireViewer } from '@/app/_web/viewer'
import { BackLink } from '@/components/ui/back-link'
import { SubmitButton } from '@/components/ui/form'
import { Card, PageHead } from '@/components/ui/surface'
import { m } from '@/lib/kernel/messages'
import { WebhookFields } from '../fields'
import { Receiver } from '../receiver'
import { CreateForm } from './create-form'

export const generateMetadata = (): Metadata => ({
  title: m.webhooks_add_a_webhook(),
  robots: { index: false },
})

export default withProblemPage(async function NewWebhookPage() {
  await requireViewer('/webhooks/new')
  return (
    <CreateForm receiver={<Receiver />}>
      <BackLink href="/webhooks">{m.webhooks_all_webhooks()}</BackLink>
      <PageHead title={m.webhooks_add_a_webhook()} lead={m.webhooks_new_page_intro()} />
      <Card className="grid gap-8">
        <WebhookFields />
        <SubmitButton pending={m.webhooks_adding()}>{m.webhooks_add_webhook()}</SubmitButton>
      </Card>
    </CreateForm>
  )
})
