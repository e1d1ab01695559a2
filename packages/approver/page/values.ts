/** Times in English, in the zone of the person who reads. */

import { groupedIban } from '@beak/decision/iban'
import { type DiffLine, readDiff } from '@beak/decision/read-diff'
import { readInstant } from '@beak/decision/read-instant'
import { readUrl } from '@beak/decision/read-url'
import { withoutSecrets } from '@beak/decision/secret-values'
import { distanceText, timeText } from '@beak/decision/times'
import { visible } from '@beak/decision/visible'
import type { Request } from '../statement'
import { type Child, foreign, make, time } from './dom'

const locale = 'en-GB'

/** Returns a time in a zone: `21 Nov 2026, 11:00`, `21 Nov 2026, 10:00 UTC`. */
export const inZone = (at: string, zone: string): string =>
  zone === 'UTC' ? `${timeText(at, 'full', zone, locale)} UTC` : timeText(at, 'full', zone, locale)

/** Returns the distance of a time from `now`: `3 hours ago`, `in 2 days`. */
export const distanceFrom = (now: Date, at: string): string => distanceText(now, at, locale) ?? 'just now'

/** The values of a request, each in the form of its type, as on the decision page of the service. */

type DisplayValue = Request['display']['values'][number]

/** Returns all values with their names and warnings. */
export function valueList({ display: { values }, params }: Pick<Request, 'display' | 'params'>): HTMLElement {
  if (values.length === 0) return make('p', { class: 'soft' }, 'No values.')
  return make(
    'dl',
    { class: 'facts values' },
    ...values.map((value) =>
      make(
        'div',
        {},
        make('dt', {}, make('code', {}, foreign(value.name))),
        make(
          'dd',
          {},
          ...shown(value, withoutSecrets(value.name, params[value.name])),
          value.warning === undefined ? null : make('p', { class: 'warning' }, foreign(value.warning)),
        ),
      ),
    ),
  )
}

function shown({ type, text, domain }: DisplayValue, raw: unknown): Child[] {
  switch (type) {
    case 'money':
      return [make('span', { class: 'money' }, foreign(text))]
    case 'date':
      return date(text, raw)
    case 'email':
      return [
        address(text.slice(0, text.lastIndexOf('@') + 1), text.slice(text.lastIndexOf('@') + 1), '', domain),
      ]
    case 'url':
      return url(text, domain)
    case 'text':
      return [make('p', { class: 'text' }, foreign(text))]
    case 'diff':
      return [diff(raw)]
    case 'secret':
      return [secret(text)]
    // A type without a form of its own is shown as it was sent.
    default:
      return plain(raw)
  }
}

/** A date as the requester wrote it. A time in a zone also as the time of this device. */
function date(text: string, raw: unknown): Child[] {
  const at = readInstant(raw)
  return [
    foreign(text),
    at === null
      ? null
      : make('span', { class: 'beside' }, 'Your time: ', time(new Date(at).toISOString(), inZone)),
  ]
}

/** An address. The part of its host that somebody registered stands out. */
function address(before: string, host: string, after: string, domain: string | undefined): HTMLElement {
  const start = domain === undefined ? 0 : Math.max(0, host.replace(/\.$/, '').length - domain.length)
  return make(
    'span',
    { class: 'address' },
    foreign(before + host.slice(0, start), true),
    make('strong', {}, foreign(host.slice(start), true)),
    foreign(after, true),
  )
}

/** A URL. Never a link, so that nobody opens an address of a requester by mistake. */
function url(text: string, domain: string | undefined): Child[] {
  const parts = readUrl(text)
  if (parts === null) return [foreign(text, true)]
  const { before, host, after, opens } = parts
  return [
    address(before, host, after, domain),
    opens === null
      ? null
      : make(
          'span',
          { class: 'beside' },
          'A browser opens the host ',
          make('code', {}, foreign(opens, true)),
          '.',
        ),
  ]
}

const signs = {
  added: { sign: '+', word: 'Added: ' },
  removed: { sign: '−', word: 'Removed: ' },
  same: { sign: '', word: '' },
  place: { sign: '', word: '' },
}

/** A change, whole: nothing in it is folded. */
function diff(raw: unknown): HTMLElement {
  return make('ol', { class: 'diff' }, ...readDiff(raw).map(diffLine))
}

function diffLine({ kind, text }: DiffLine): HTMLElement {
  const { sign, word } = signs[kind]
  return make(
    'li',
    { class: kind },
    make('span', { 'aria-hidden': 'true' }, sign),
    make('span', {}, word === '' ? null : make('span', { class: 'visually-hidden' }, word), foreign(text)),
  )
}

/** A secret, hidden until the person reveals it. */
function secret(text: string): HTMLElement {
  const { length } = Array.from(text)
  return make(
    'details',
    {},
    make('summary', {}, `Secret: show ${length} ${length === 1 ? 'character' : 'characters'}`),
    make('code', {}, foreign(text)),
  )
}

/** A value of no special type. The number of a bank account is in groups, because people compare it in groups. */
function plain(raw: unknown): Child[] {
  const iban = typeof raw === 'string' ? groupedIban(raw) : null
  if (iban !== null)
    return [
      make('span', { class: 'number', translate: 'no' }, iban),
      ' ',
      make('span', { class: 'soft' }, 'bank account'),
    ]
  return [json(raw, 0)]
}

/** Deeper values are shown as JSON, so that they stay readable on a phone. */
const depthMax = 3

function json(value: unknown, depth: number): Child {
  if (value === '') return make('span', { class: 'soft' }, 'empty text')
  if (typeof value === 'string') return make('span', { class: 'text' }, foreign(value))
  if (typeof value !== 'object' || value === null)
    return make('span', { class: 'number', translate: 'no' }, JSON.stringify(value))
  if (depth >= depthMax) return make('pre', {}, foreign(JSON.stringify(value, null, 2)))
  if (Array.isArray(value)) return list(value, depth)
  const entries = Object.entries(value)
  if (entries.length === 0) return make('span', { class: 'soft' }, 'no values')
  return make(
    'dl',
    { class: 'inner' },
    ...entries.map(([name, inner]) =>
      make(
        'div',
        {},
        make('dt', {}, make('code', {}, foreign(name))),
        make('dd', {}, json(inner, depth + 1)),
      ),
    ),
  )
}

function list(items: unknown[], depth: number): HTMLElement {
  if (items.length === 0) return make('span', { class: 'soft' }, 'empty list')
  return make('ul', {}, ...items.map((item) => make('li', {}, json(item, depth + 1))))
}

/** Returns a JSON value as text on lines, with hidden characters shown. */
export function jsonBlock(value: unknown): HTMLElement {
  return make('pre', { tabindex: '0' }, make('bdi', {}, visible(JSON.stringify(value, null, 2))))
}
