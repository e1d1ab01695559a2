/** Host names, in the form that permissions have as `audience`. */

/** Characters that the URL parser would remove, decode or read as another part of a URL. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern rejects control characters
const foreign = /[\u0000-\u0020\u007f/\\?#%@<>^|]/

/** An IP address, or a name that is not public: `localhost`, or without a dot. */
const notPublic = /^\[|(?:^|\.)(?:localhost|\d+)$|^[^.]*$/

/**
 * Returns the public host name of a `Host` header or of a setting: lower case, punycode, without port and trailing dot. Null for anything else, also
 * for an IP address and for `localhost`, because no permission can name those.
 */
export function publicHostName(text: string): string | null {
  if (foreign.test(text) || !URL.canParse(`http://${text}`)) return null
  const name = new URL(`http://${text}`).hostname.replace(/\.$/, '')
  return notPublic.test(name) ? null : name
}

/** Returns the public host name of a web address, or null as `publicHostName` does. Throws `TypeError` for an address with another host at first sight. */
export function publicHostOf(address: string | URL): string | null {
  const url = new URL(address)
  const isPlain = !/[\\@]/.test(String(address).split(/[?#]/)[0] ?? '')
  if (!/^https?:$/.test(url.protocol) || !isPlain)
    throw new TypeError(
      'The address must begin with https:// or http://, without a user name and backslashes.',
    )
  return publicHostName(url.host)
}
