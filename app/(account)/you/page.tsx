import { personName } from '@beak/decision/person-name'
import { Award, Bell, Code, Database, KeyRound, UserPlus } from 'lucide'
import type { Metadata } from 'next'
import { withProblemPage } from '@/app/_shell/problem-page'
import { find, read } from '@/app/_web/page-read'
import { requireViewer } from '@/app/_web/viewer'
import type { ResponseOf } from '@/app/beak/_api/lines'
import { Duck } from '@/components/duck'
import { KeptText } from '@/components/kept-text'
import { Sentence } from '@/components/sentence'
import { PageHead } from '@/components/ui/surface'
import { Time } from '@/components/ui/time'
import { m } from '@/lib/kernel/messages'
import { readClock } from '@/lib/kernel/runtime/clock'
import { tierLabel, tierWords } from '@/lib/kernel/text/tier-words'
import { readChannels } from '../notifications/read'
import { ringWords } from '../notifications/words'
import { BuilderSwitch, BuilderWords } from './builders'
import { Part } from './part'

export const generateMetadata = (): Metadata => ({ title: m.you_title(), robots: { index: false } })

/** The first page of the room "You": how things stand, in a line each, with the way to change it. */
export default withProblemPage(async function YouPage() {
  const viewer = await requireViewer('/you')
  const [{ items: passkeys }, { items: sessions }, certificate] = await Promise.all([
    read('GET /beak/passkey/list', { query: { limit: '100' } }),
    read('GET /beak/session/list', { query: { limit: '100' } }),
    find('GET /beak/cert/view'),
  ])
  const now = readClock()
  return (
    <>
      <PageHead title={m.you_title()} lead={m.you_lead()} />
      <ul className="max-w-3xl divide-y divide-line border-y border-line">
        <Part
          picture={<Duck id={viewer.duckling_id} size={44} />}
          title={m.you_name()}
          href="/profile"
          button={m.you_change_name()}
        >
          <bdi translate="no">{personName(viewer)}</bdi>
          {viewer.handle === null ? null : (
            <>
              , <bdi translate="no">@{viewer.handle}</bdi>
            </>
          )}
          . {tierLabel(viewer.trust_tier)}.
        </Part>
        <CertificatePart certificate={certificate} now={now} />
        <Part icon={KeyRound} title={m.you_devices()} href="/security" button={m.you_manage()}>
          <PasskeyWords passkeys={passkeys} now={now} /> {m.you_devices_count({ count: sessions.length })}
        </Part>
        <Part icon={Bell} title={m.pages_notifications()} href="/notifications" button={m.you_change_name()}>
          {await notificationsWords()}
        </Part>
        <Part icon={UserPlus} title={m.you_links()} href="/invitations" button={m.you_manage()}>
          {m.you_links_text()}
        </Part>
        <Part icon={Database} title={m.you_data()} href="/account" button={m.you_manage()}>
          {m.you_data_text()}
        </Part>
        <Part icon={Code} title={m.you_builder()} action={<BuilderSwitch isOn={viewer.builder} />}>
          <BuilderWords isOn={viewer.builder} />
        </Part>
      </ul>
    </>
  )
})

interface CertificatePartProps {
  certificate: ResponseOf<'GET /beak/cert/view'> | null
  now: Date
}

function CertificatePart({ certificate, now }: CertificatePartProps) {
  if (certificate === null)
    return (
      <Part icon={Award} title={m.you_certificate()} href="/certificate" button={m.you_issue()}>
        {m.you_certificate_none()}
      </Part>
    )
  const { issued_at: at, tier, status } = certificate
  return (
    <Part icon={Award} title={m.you_certificate()} href="/certificate" button={m.you_view()}>
      {status === 'active' ? (
        <Sentence
          of={m.you_certificate_active}
          with={{ tier: tierWords(tier) }}
          parts={{ time: () => <Time at={at} now={now} dateOnly /> }}
        />
      ) : (
        m.you_certificate_revoked()
      )}
    </Part>
  )
}

type Passkey = ResponseOf<'GET /beak/passkey/list'>['items'][number]

function PasskeyWords({ passkeys, now }: { passkeys: Passkey[]; now: Date }) {
  const count = passkeys.length
  if (count === 0) return m.you_passkeys_none()
  const last = passkeys.flatMap(({ last_used_at: at }) => at ?? []).sort()
  const at = last.at(-1)
  if (at === undefined) return m.you_passkeys_unused({ count })
  return <Sentence of={m.you_passkeys} with={{ count }} parts={{ time: () => <Time at={at} now={now} /> }} />
}

/** When and where requests are announced. A read here must not keep the page from showing the rest. */
async function notificationsWords() {
  const [settings, channels] = await Promise.all([read('GET /beak/notifications'), readChannels()])
  return <KeptText text={ringWords(settings, channels)} />
}
