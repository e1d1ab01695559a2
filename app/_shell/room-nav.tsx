import { Activity, Award, Bot, Inbox, Settings } from 'lucide'
import { Icon } from '@/components/ui/icon'
import { m } from '@/lib/kernel/messages'
import { CurrentLink, OnPages } from './current-link'
import { type Room, rooms } from './rooms'

const icons = { inbox: Inbox, agents: Bot, certificate: Award, activity: Activity, settings: Settings }

/** The first steps of a new account lead on by themselves. */
const withoutNav = ['/welcome']

/**
 * The navigation between the rooms: on a phone a bar at the end of the window, otherwise a part of the header. In a low window, such as a
 * phone held sideways, it stays in the header, because a bar would cover too much. `waiting`: the number of requests that wait for an
 * answer, such as "66" or "1,000+", or an empty text for none.
 */
export function RoomNav({ waiting }: { waiting: string }) {
  return (
    <OnPages pages={withoutNav} isExcept>
      <nav aria-label={m.rooms_your_account()} data-room-nav className="room-nav">
        <ul className="flex max-md:justify-around md:gap-x-1">
          {rooms.map((room) => (
            <li key={room.name} className="max-md:min-w-0 max-md:flex-1">
              <RoomLink room={room} waiting={room.name === 'inbox' ? waiting : ''} />
            </li>
          ))}
        </ul>
      </nav>
    </OnPages>
  )
}

const look =
  'group relative flex min-h-14 items-center justify-center gap-x-1.5 rounded-control text-xs text-soft no-underline hover:text-ink aria-[current]:font-semibold aria-[current]:text-ink max-md:flex-col max-md:gap-y-0.5 md:min-h-11 md:px-3 md:max-lg:px-2 md:text-sm md:hover:bg-sunken md:aria-[current]:bg-accent-wash'

function RoomLink({ room: { name, href, pages, label }, waiting }: { room: Room; waiting: string }) {
  return (
    <CurrentLink href={href} pages={pages} className={look}>
      <Icon of={icons[name]} size={22} className="group-aria-[current]:text-accent md:hidden" />
      {label()}
      {waiting === '' ? null : (
        <span className="rounded-full bg-accent px-1.5 text-xs font-semibold text-accent-ink tabular-nums max-md:absolute max-md:start-1/2 max-md:top-1 max-md:ms-1.5 max-md:text-[0.6875rem] max-md:leading-4">
          <span aria-hidden="true">{waiting}</span>
          <span className="visually-hidden"> {m.rooms_requests_waiting({ count: waiting })}</span>
        </span>
      )}
    </CurrentLink>
  )
}
