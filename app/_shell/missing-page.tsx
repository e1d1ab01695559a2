import { personName } from '@beak/decision/person-name'
import type { Viewer } from '@/app/_web/viewer'
import { Sentence } from '@/components/sentence'
import { m } from '@/lib/kernel/messages'
import { NotFoundPage } from './not-found-page'

const inbox = { href: '/pecks', label: m.missing_to_inbox }

const kinds = {
  request: {
    title: m.missing_request,
    lead: m.missing_request_not_yours,
    ways: [inbox, { href: '/pecks/history', label: m.missing_to_history }],
  },
  asker: { title: m.missing_asker, lead: m.missing_asker_unknown, ways: [inbox] },
  agent: {
    title: m.missing_agent,
    lead: m.missing_agent_not_yours,
    ways: [{ href: '/allowed#agents', label: m.missing_to_agents }],
  },
  rule: {
    title: m.missing_rule,
    lead: m.missing_rule_not_yours,
    ways: [{ href: '/allowed#rules', label: m.missing_to_rules }],
  },
  webhook: {
    title: m.missing_webhook,
    lead: m.missing_webhook_not_yours,
    ways: [{ href: '/webhooks', label: m.missing_to_webhooks }],
  },
}

/**
 * Stands in the place of a request, an agent and so on that does not exist or is not the viewer's. It is the same in both cases, so it does
 * not tell which. Call `answerNotFound` before.
 */
export function MissingPage({ kind, viewer }: { kind: keyof typeof kinds; viewer: Viewer }) {
  const { title, lead, ways } = kinds[kind]
  return (
    <NotFoundPage
      title={title()}
      lead={
        <>
          <p>
            <Sentence
              of={lead}
              parts={{
                name: () => (
                  <bdi translate="no" className="font-semibold text-ink">
                    {personName(viewer)}
                  </bdi>
                ),
              }}
            />
          </p>
          <p className="mt-3">{m.missing_other_account()}</p>
        </>
      }
      ways={ways}
    />
  )
}
