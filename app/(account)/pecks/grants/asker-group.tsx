import { Duck } from '@/components/duck'
import { Sentence } from '@/components/sentence'
import { ButtonLink } from '@/components/ui/button'
import { Link } from '@/components/ui/link'
import { m } from '@/lib/kernel/messages'
import { personName } from '@/lib/kernel/text/person-name'
import { RevokeAllForm } from '../_forms/revoke-all-form'
import { filteredPath } from '../_list/filter'
import { OwnerLine } from '../_peck/owner-line'
import { askerPath } from '../_peck/pages'
import type { Peck } from '../_peck/reads'
import { requesterName } from '../_peck/words'
import type { PermissionsOfAsker } from './group-by-asker'
import { PermissionRow } from './permission-row'

interface AskerGroupProps extends PermissionsOfAsker {
  /** The page shows all permissions of the asker. */
  isWhole: boolean
  /** The page shows only this asker. */
  isAlone: boolean
  viewerId: string
  now: Date
}

/** The active permissions of one asker. */
export function AskerGroup({ asker, items, isWhole, isAlone, viewerId, now }: AskerGroupProps) {
  const [{ peck }] = items
  const heading = `asker-${asker}`
  const name = requesterName(peck.requester)
  return (
    <section aria-labelledby={heading} className="mb-10">
      <header className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-b border-line pb-2">
        <div className="flex min-w-0 items-center gap-3">
          <Duck id={asker} size={40} />
          <div className="min-w-0">
            <h2 id={heading} className="text-lg wrap-anywhere">
              <AskerName peck={peck} viewerId={viewerId} />
            </h2>
            <p className="text-sm text-soft wrap-anywhere">
              <AskerWords peck={peck} viewerId={viewerId} now={now} />
            </p>
          </div>
        </div>
        <div className="flex flex-wrap items-center gap-3">
          {isWhole || isAlone ? null : (
            <ButtonLink href={filteredPath('/pecks/grants', { asker })}>
              {m.permissions_all_permissions_of_name({ name })}
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
      <ul aria-label={m.permissions_active_permissions_of_name({ name })}>
        {items.map((request) => (
          <PermissionRow key={request.peck.peck_id} {...request} now={now} />
        ))}
      </ul>
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
        <Sentence
          of={m.permissions_an_agent_of_requester}
          with={{ requester: personName(requester) }}
          parts={{ bdi: (children) => <bdi translate="no">{children}</bdi> }}
        />
      )}{' '}
      (<OwnerLine owner={requester} now={now.getTime()} />)
    </>
  )
}
