/** Places as programs read them: mail addresses, web addresses and paths, each in one form for all of its spellings. Only for comparison. */
import { domainToUnicode } from 'node:url'
import { plainForm, sameLook } from '@/lib/kernel/text/same-look'

/** A web address without what does not change where it leads. */
export interface WebAddress {
  host: string
  /** Host and path. */
  base: string
  query: ReadonlySet<string>
}

const mailForm = /(?:"([^"]{1,64})"|([^\s"<>()[\],;:/\\@]{1,80}))@([^\s"<>()[\],;:/\\@?#]{1,253})/gu
/** An address with a scheme, or what has the form of a host name, with a path or without. */
const webForm =
  /^(?:[a-z][a-z0-9+.-]*:)?[/\\]{2,}([^/\\?#]+)([^?#]*)(?:\?([^#]*))?|^([\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+\.?(?::\d+)?)(?=$|[/\\?#])((?:[/\\][^?#]*)?)(?:\?([^#]*))?/iu

/** Returns a text with its percent-encoding resolved, even when it was encoded several times. */
export function decoded(text: string): string {
  let found = text
  for (let round = 0; round < 3 && /%[0-9a-f]{2}/i.test(found); round++) {
    try {
      found = decodeURIComponent(found)
    } catch {
      found = found.replace(/%([2-7][0-9a-f])/gi, (_, code: string) =>
        String.fromCharCode(Number.parseInt(code, 16)),
      )
    }
  }
  return plainForm(found)
}

/** Returns a host name as a reader sees it: not in punycode, without "www." and the dot at the end. */
export function hostLook(host: string): string {
  const name = decoded(host)
    .replace(/:\d*$/, '')
    .replace(/\.+$/, '')
    .replace(/^www\d?\./i, '')
  return sameLook(domainToUnicode(name) || name)
}

/** Returns the parts of a path: "." and ".." resolved, without double and last slashes, and without what programs leave out. */
function pathParts(path: string): string[] {
  const parts: string[] = []
  for (const part of decoded(path).split(/[/\\\u2044\u2215\u29f8]/)) {
    const name = part.replace(/;.*$/s, '').trim()
    if (/^\.\.+$/.test(name)) parts.pop()
    else if (!/^\.?$/.test(name)) parts.push(sameLook(name.replace(/[. ]+$/, '')))
  }
  return parts
}

const mailHosts: Record<string, string> = { 'googlemail.com': 'gmail.com' }

/** A longer text is no mail address. */
const mailMax = 4096

/** Returns the mail addresses in a text, without tags ("+news") and dots before the "@". */
export function mailsIn(text: string): { address: string; host: string }[] {
  return [...text.slice(0, mailMax).matchAll(mailForm)].map(([, quoted, plain, at = '']) => {
    const local = sameLook(quoted ?? plain ?? '')
    const host = hostLook(mailHosts[at.toLowerCase()] ?? at)
    return { address: `${local.replace(/\+.*$/s, '').replaceAll('.', '')}@${host}`, host }
  })
}

/** Returns the web addresses in a text. A name with a dot counts as a host. */
export function webIn(text: string): WebAddress[] {
  return text.split(/[\s<>"“”(),|]+/u).flatMap((word): WebAddress[] => {
    const [, authority, path, query, bare, barePath, bareQuery] = webForm.exec(word) ?? []
    const whole = authority ?? bare
    if (whole === undefined) return []
    const host = hostLook(whole.slice(whole.lastIndexOf('@') + 1))
    const parts = pathParts(path ?? barePath ?? '')
    if (/^(lndex|default)\.[a-z]+$/.test(parts.at(-1) ?? '')) parts.pop()
    const items = (query ?? bareQuery ?? '').split(/[&;]/).map((item) => sameLook(decoded(item)))
    const base = [host, ...parts].join('/')
    return [{ host, base, query: new Set(items.filter((item) => item !== '')) }]
  })
}

/** Returns the parts of a path of a file, without the scheme or drive before it. */
export const fileParts = (text: string): string[] =>
  pathParts(text.replace(/^file:[/\\]*/i, '/').replace(/^[a-z]:(?=[/\\])/i, ''))
