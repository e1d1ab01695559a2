import type { Metadata } from 'next'
import { withProblemPage } from '@/app/_shell/problem-page'
import { requireViewer } from '@/app/_web/viewer'
import { BackLink } from '@/components/ui/back-link'
import { SubmitButton } from '@/components/ui/form'
import { Card, PageHead } from '@/components/ui/surface'
import { WebhookFields } from '../fields'
import { Receiver } from '../receiver'
import { CreateForm } from './create-form'

export const metadata: Metadata = { title: 'Add a webhook', robots: { index: false } }

export default withProblemPage(async function NewWebhookPage() {
  await requireViewer('/webhooks/new')
  return (
    <CreateForm receiver={<Receiver />}>
      <BackLink href="/webhooks">All webhooks</BackLink>
      <PageHead
        title="Add a webhook"
        lead="We send a signed message to your URL when something happens, and retry if that fails."
      />
      <Card className="grid gap-8">
        <WebhookFields />
        <SubmitButton pending="Adding …">Add webhook</SubmitButton>
      </Card>
    </CreateForm>
  )
})
