import { parseUrl } from './parse-url'

export interface UrlParts {
  before: string
  host: string
  after: string
  /** The host that a browser opens, when it is written in another way in the text. */
  opens: string | null
}

// A backslash ends the host, as in browsers. The last @ before the end starts it.
const form = /^([a-z][a-z0-9+.-]*:\/\/(?:[^/\\?#]*@)?)([^/\\?#@]*)([\s\S]*)$/i

/** Splits a URL around its host. Returns null for a text without a host. */
export function readUrl(text: string): UrlParts | null {
  const [, before = '', authority = '', after = ''] = form.exec(text) ?? []
  const [host = '', port = ''] = splitPort(authority)
  if (host === '') return null
  return { before, host, after: `${port}${after}`, opens: openedHost(text, host) }
}

function splitPort(authority: string): [host: string, port: string] {
  const port = /:\d*$/.exec(authority)?.[0] ?? ''
  return [authority.slice(0, authority.length - port.length), port]
}

function openedHost(text: string, host: string): string | null {
  const opened = parseUrl(text)?.hostname ?? ''
  return opened === '' || opened === host.toLowerCase() ? null : opened
}
