/** The sections of a webhook's page. */

import { Sentence } from '@/components/sentence'
import { Confirm } from '@/components/ui/confirm'
import { ConfirmButtons } from '@/components/ui/confirm-buttons'
import { ActionForm, SubmitButton } from '@/components/ui/form'
import { Card, Notice, Section } from '@/components/ui/surface'
import { Time } from '@/components/ui/time'
import { m } from '@/lib/kernel/messages'
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
        title={disabled_reason ? disabledTexts[disabled_reason] : m.webhooks_this_webhook_is_switched_off()}
      >
        <Sentence
          of={m.webhooks_switched_off_body}
          parts={{
            a: (children) => (
              <a href="#switch" className="underline">
                {children}
              </a>
            ),
          }}
        />
      </Notice>
    </div>
  )
}

export function TestSection({ webhook }: { webhook: Webhook }) {
  return (
    <Section id="test" title={m.webhooks_test()} lead={m.webhooks_test_section_intro()}>
      <ActionForm action={testWebhook} label={m.webhooks_test()} countsOnce={false}>
        <input type="hidden" name="webhook_id" value={webhook.webhook_id} />
        <SubmitButton pending={m.webhooks_waiting_for_an_answer()}>{m.webhooks_send_a_test()}</SubmitButton>
        <TestResult />
      </ActionForm>
    </Section>
  )
}

export function SettingsSection({ webhook }: { webhook: Webhook }) {
  return (
    <Section id="settings" title={m.webhooks_settings()}>
      <Card>
        <ActionForm action={changeWebhook} label={m.webhooks_settings()} className="gap-8">
          <input type="hidden" name="webhook_id" value={webhook.webhook_id} />
          <WebhookFields webhook={webhook} />
          <SubmitButton kind="plain">{m.webhooks_save()}</SubmitButton>
        </ActionForm>
      </Card>
    </Section>
  )
}

export function SecretSection({ webhook, now }: { webhook: Webhook; now: Date }) {
  const until = webhook.secret_rotating_until
  return (
    <Section id="secret" title={m.webhooks_secret()} lead={m.webhooks_secret_section_intro()}>
      {until ? (
        <p className="mb-5 text-sm">
          <Sentence
            of={m.webhooks_rotation_overlap_note}
            parts={{ time: () => <Time at={until} />, time2: () => <Time at={until} now={now} /> }}
          />
        </p>
      ) : null}
      <div className="grid min-w-0 gap-6">
        <RotateSecret webhookId={webhook.webhook_id} />
        <details>
          <summary className="min-h-11 content-center text-sm font-semibold">
            {m.webhooks_how_to_verify_messages()}
          </summary>
          <div className="mt-3">
            <Receiver />
          </div>
        </details>
      </div>
    </Section>
  )
}

export function SwitchSection({ webhook: { enabled, webhook_id } }: { webhook: Webhook }) {
  const title = enabled ? m.webhooks_switch_off() : m.webhooks_switch_on()
  return (
    <Section
      id="switch"
      title={title}
      lead={enabled ? m.webhooks_switch_off_intro() : m.webhooks_switch_on_intro()}
    >
      <ActionForm action={switchWebhook} label={title}>
        <input type="hidden" name="webhook_id" value={webhook_id} />
        <input type="hidden" name="to" value={enabled ? 'off' : 'on'} />
        <SubmitButton kind={enabled ? 'plain' : 'primary'}>
          {enabled ? m.webhooks_switch_webhook_off() : m.webhooks_switch_webhook_on()}
        </SubmitButton>
      </ActionForm>
    </Section>
  )
}

export function DeleteSection({ webhook }: { webhook: Webhook }) {
  return (
    <Section
      id="delete"
      title={m.webhooks_delete()}
      lead={m.webhooks_deletes_webhook_its_secret_its_deliveries()}
    >
      <Confirm
        trigger={m.webhooks_delete_webhook()}
        title={m.webhooks_delete_this_webhook()}
        text={
          <Sentence
            of={m.webhooks_we_stop_sending_host_its_deliveries}
            with={{ host: new URL(webhook.url).host }}
          />
        }
      >
        <ActionForm action={deleteWebhook} label={m.webhooks_delete_form_label()}>
          <input type="hidden" name="webhook_id" value={webhook.webhook_id} />
          <ConfirmButtons>{m.webhooks_delete_permanently()}</ConfirmButtons>
        </ActionForm>
      </Confirm>
    </Section>
  )
}
