/** The sections of a webhook's page. */
import { Confirm } from '@/components/ui/confirm'
import { ActionForm, SubmitButton } from '@/components/ui/form'
import { Card, Notice, Section } from '@/components/ui/surface'
import { Time } from '@/components/ui/time'
import { changeWebhook, deleteWebhook, switchWebhook, testWebhook } from '../actions'
import { WebhookFields } from '../fields'
import type { Webhook } from '../read'
import { Receiver } from '../receiver'
import { disabledTexts } from '../words'
import { RotateSecret } from './rotate-secret'
import { TestResult } from './test-result'

export function SwitchedOffNotice({ webhook: { disabled_reason } }: { webhook: Webhook }) {
  return (
    <div className="mb-14">
      <Notice
        tone="bad"
        title={disabled_reason ? disabledTexts[disabled_reason] : 'This webhook is switched off.'}
      >
        Nothing is sent while it is off.{' '}
        <a href="#switch" className="underline">
          Switch it on
        </a>{' '}
        to receive messages again.
      </Notice>
    </div>
  )
}

export function TestSection({ webhook }: { webhook: Webhook }) {
  return (
    <Section id="test" title="Test" lead="Sends a real message now, in the same way as any other.">
      <ActionForm action={testWebhook} label="Test" countsOnce={false}>
        <input type="hidden" name="webhook_id" value={webhook.webhook_id} />
        <SubmitButton pending="Waiting for an answer …">Send a test</SubmitButton>
        <TestResult />
      </ActionForm>
    </Section>
  )
}

export function SettingsSection({ webhook }: { webhook: Webhook }) {
  return (
    <Section id="settings" title="Settings">
      <Card>
        <ActionForm action={changeWebhook} label="Settings" className="gap-8">
          <input type="hidden" name="webhook_id" value={webhook.webhook_id} />
          <WebhookFields webhook={webhook} />
          <SubmitButton kind="plain">Save</SubmitButton>
        </ActionForm>
      </Card>
    </Section>
  )
}

export function SecretSection({ webhook, now }: { webhook: Webhook; now: Date }) {
  const until = webhook.secret_rotating_until
  return (
    <Section
      id="secret"
      title="Secret"
      lead="Every message is signed with it, so your receiver can verify that we sent it."
    >
      {until ? (
        <p className="mb-5 text-sm">
          Messages are signed with both the old and the new secret until <Time at={until} /> (
          <Time at={until} now={now} />
          ).
        </p>
      ) : null}
      <div className="grid min-w-0 gap-6">
        <RotateSecret webhookId={webhook.webhook_id} />
        <details>
          <summary className="min-h-11 content-center text-sm font-semibold">How to verify messages</summary>
          <div className="mt-3">
            <Receiver />
          </div>
        </details>
      </div>
    </Section>
  )
}

export function SwitchSection({ webhook: { enabled, webhook_id } }: { webhook: Webhook }) {
  const title = enabled ? 'Switch off' : 'Switch on'
  return (
    <Section
      id="switch"
      title={title}
      lead={
        enabled
          ? 'Cancels waiting deliveries. You can send them again later.'
          : 'Starts sending again. Earlier failures no longer count.'
      }
    >
      <ActionForm action={switchWebhook} label={title}>
        <input type="hidden" name="webhook_id" value={webhook_id} />
        <input type="hidden" name="to" value={enabled ? 'off' : 'on'} />
        <SubmitButton kind={enabled ? 'plain' : 'primary'}>{`${title} webhook`}</SubmitButton>
      </ActionForm>
    </Section>
  )
}

export function DeleteSection({ webhook }: { webhook: Webhook }) {
  return (
    <Section id="delete" title="Delete" lead="Deletes the webhook, its secret and its deliveries.">
      <Confirm
        trigger="Delete webhook"
        title="Delete this webhook?"
        text={`We stop sending to ${new URL(webhook.url).host}, and its deliveries are deleted. This can't be undone.`}
      >
        <ActionForm action={deleteWebhook} label="Delete this webhook">
          <input type="hidden" name="webhook_id" value={webhook.webhook_id} />
          <SubmitButton kind="danger">Delete permanently</SubmitButton>
        </ActionForm>
      </Confirm>
    </Section>
  )
}
