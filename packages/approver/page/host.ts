/** The host of a service, as large as its importance. */
import { type Service, sharedDomain } from '../service'
import { make, note } from './dom'

/** Returns the whole host, below the words that say whose it is. The part that somebody registered stands out: everything before it costs nothing. */
export function hostName({ host, domain }: Service): HTMLElement {
  const name = host.replace(/\.?(:\d+)?$/, '')
  const start = domain === null ? 0 : Math.max(0, name.length - domain.length)
  return make(
    'p',
    {},
    make('span', { class: 'beside' }, 'The service is'),
    make('bdi', { class: 'host', dir: 'ltr' }, host.slice(0, start), make('strong', {}, host.slice(start))),
  )
}

/** Returns what to look at twice about the host. */
export function hostNotes(service: Service): HTMLElement[] {
  const shared = sharedDomain(service, location.origin)
  return [
    /(^|\.)xn--/.test(service.host)
      ? note(
          'warn',
          'This name has foreign letters',
          make(
            'p',
            {},
            'They are written in code (xn--). Such a name can look like the name of another service.',
          ),
        )
      : null,
    shared === null
      ? null
      : note(
          'warn',
          `The service and this page belong to ${shared}`,
          make(
            'p',
            {},
            'Whoever runs the service may also control this page. Then it does not protect you from the service.',
          ),
        ),
  ].filter((one) => one !== null)
}
