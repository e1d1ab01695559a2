import { personName } from '@beak/decision/person-name'
import type { ReactNode } from 'react'
import { Duck } from '@/components/duck'
import { ActionWords } from '@/components/kept-text'
import { Sentence } from '@/components/sentence'
import { ButtonLink } from '@/components/ui/button'
import { Link } from '@/components/ui/link'
import { Time } from '@/components/ui/time'
import { m } from '@/lib/kernel/messages'
import { AgentStatus } from '../agents/agent-status'
import { RevokeAllForm, RevokeForm } from '../pecks/_forms/revoke-form'
import { filteredPath } from '../pecks/_list/filter'
import { ValuesLine } from '../pecks/_list/values-line'
import { OwnerLine } from '../pecks/_peck/owner-line'
import { askerPath } from '../pecks/_peck/pages'
import type { Peck, ShownPeck } from '../pecks/_peck/reads'
import { UsedFor } from '../pecks/_peck/used-for'
import { requesterName } from '../pecks/_peck/words'
import { Folded } from './folded'

interface PermissionsOfAsker {
  /** Id of the agent, or of the person. */
  asker: string
  /** At least one. */
  items: [ShownPeck, ...ShownPeck[]]
}

/** Returns the permissions by asker. The asker with the newest permission comes first. */
export function groupByAsker(items: ShownPeck[]): PermissionsOfAsker[] {
  const groups = new Map<string, PermissionsOfAsker>()
  for (const item of items) {
    const { agent_id, duckling_id } = item.peck.requester
    const asker = agent_id ?? duckling_id
    const group = groups.get(asker)
    if (group) group.items.push(item)
    else groups.set(asker, { asker, items: [item] })
  }
  return [...groups.values()]
}

/** Words for active permissions. */

/** Returns how often a permission can still be used. */
export function extentWords({ uses, max_uses }: Pick<Peck, 'uses' | 'max_uses'>): string {
  if (max_uses === null) return m.permissions_any_number_of_uses()
  const left = max_uses - uses
  if (max_uses === 1) return m.permissions_once()
  return m.permissions_uses_left({ count: left })
}

interface PermissionRowProps extends ShownPeck {
  now: Date
}

/** An active permission: what it allows with its values, until when, the uses left, which rule gave it, what it was used for, and a button to revoke it. */
function PermissionRow({ peck, details, words, now }: PermissionRowProps) {
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2 border-t border-line py-3 first:border-t-0 sm:flex-nowrap">
      <div className="min-w-0 max-w-full sm:flex-1">
        <p>
          <Link
            href={`/pecks/${peck.peck_id}`}
            className="inline-flex min-h-6 items-center font-semibold no-underline wrap-anywhere hover:underline"
          >
            <ActionWords words={words.title} />
          </Link>
        </p>
        <ValuesLine display={details.display} />
        <p className="text-sm wrap-anywhere">
          {extentWords(peck)} <End peck={peck} now={now} />
        </p>
        <ByRule peck={peck} words={words} />
        <UsedFor peck={peck} details={details} now={now} />
      </div>
      <RevokeForm peck={peck} />
    </li>
  )
}

function End({ peck: { grant_expires_at: at }, now }: Pick<PermissionRowProps, 'peck' | 'now'>): ReactNode {
  if (at === null) return m.permissions_until_you_revoke_it()
  return <Sentence of={m.permissions_ends} parts={{ time: () => <Time at={at} now={now} /> }} />
}

/** A link to the rule that gave a permission, in short: the same rule often gives many. */
function ByRule({
  peck: { decided_by: rule },
  words,
}: Pick<PermissionRowProps, 'peck' | 'words'>): ReactNode {
  if (rule === undefined) return null
  return (
    <p className="text-sm wrap-anywhere">
      <Sentence
        of={m.permissions_by_rule}
        parts={{
          rule: () => (
            <Link href={`/rules/${rule.rule_id}`} className="underline">
              <ActionWords words={words.title} />
            </Link>
          ),
        }}
      />
    </p>
  )
}

interface AskerGroupProps extends PermissionsOfAsker {
  /** The page shows all permissions of the asker. */
  isWhole: boolean
  /** The page shows only this asker. */
  isAlone: boolean
  isSuspended: boolean
  viewerId: string
  now: Date
}

/** The active permissions of one asker. */
export function AskerGroup({ asker, items, isWhole, isAlone, isSuspended, viewerId, now }: AskerGroupProps) {
  const [{ peck }] = items
  const heading = `asker-${asker}`
  const name = requesterName(peck.requester)
  return (
    <section aria-labelledby={heading} className="mb-10">
      <header className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-b border-line pb-2">
        <div className="flex min-w-0 items-center gap-3">
          <Duck id={asker} size={40} />
          <div className="min-w-0">
            <h3 id={heading} className="text-lg wrap-anywhere">
              <AskerName peck={peck} viewerId={viewerId} />
            </h3>
            <p className="text-sm text-soft wrap-anywhere">
              <AskerWords peck={peck} viewerId={viewerId} now={now} />
            </p>
            {isSuspended ? <AgentStatus status="suspended" /> : null}
          </div>
        </div>
        <div className="flex flex-wrap items-center gap-3">
          {isWhole || isAlone ? null : (
            <ButtonLink href={`${filteredPath('/allowed', { asker })}#permissions`}>
              <Sentence of={m.permissions_all_permissions_of_name} with={{ name }} />
            </ButtonLink>
          )}
          <RevokeAllForm
            asker={asker}
            items={items}
            isWhole={isWhole}
            isOwn={peck.requester.duckling_id === viewerId}
          />
        </div>
      </header>
      <Folded
        aria-label={m.permissions_active_permissions_of_name({ name })}
        more={(count) => m.allowed_more_permissions({ count })}
      >
        {items.map((request) => (
          <PermissionRow key={request.peck.peck_id} {...request} now={now} />
        ))}
      </Folded>
    </section>
  )
}

function AskerName({ peck: { requester }, viewerId }: { peck: Peck; viewerId: string }) {
  const path = askerPath(requester, viewerId)
  const name = <bdi translate="no">{requesterName(requester)}</bdi>
  return path === null ? (
    name
  ) : (
    <Link href={path} className="no-underline hover:underline">
      {name}
    </Link>
  )
}

function AskerWords({ peck: { requester }, viewerId, now }: { peck: Peck; viewerId: string; now: Date }) {
  if (requester.duckling_id === viewerId) return m.permissions_your_agent()
  return (
    <>
      {requester.agent_id === undefined ? (
        m.permissions_asked_without_an_agent()
      ) : (
        <Sentence of={m.permissions_an_agent_of_requester} with={{ requester: personName(requester) }} />
      )}{' '}
      (<OwnerLine owner={requester} now={now.getTime()} />)
    </>
  )
}
