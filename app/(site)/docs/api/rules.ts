/** A rule of all operations. */
export interface Rule {
  name: string
  /** Markdown: only text and `code`. */
  text: string
  /** Follows the text. */
  link?: { href: string; text: string }
}

/** Returns the rules of all operations, for the overview of the reference and its Markdown version. */
export function rules(baseUrl: string): Rule[] {
  return [
    { name: 'Address', text: `\`${baseUrl}\`, with or without a slash at the end of a path.` },
    {
      name: 'Bodies',
      text: 'JSON objects in UTF-8, up to 64 KiB, with `Content-Type: application/json`. Unknown fields and parameters are errors, so you notice typing mistakes.',
    },
    {
      name: 'Credentials',
      text: 'People send `Authorization: Bearer …` with the token from sign-up or sign-in, which is valid for 24 hours. Agents send `X-Beak-Key: beak_…`. The API ignores cookies.',
    },
    {
      name: 'Responses',
      text: 'Success is 200 with an object. Times are ISO 8601 in UTC. Every response has an `X-Request-Id`.',
    },
    {
      name: 'Lists',
      text: '`items`, newest first, and `next_cursor`. Send it as `cursor` to get the next page. It is null on the last page.',
    },
    {
      name: 'Errors',
      text: 'Problem documents (RFC 9457). `action` says what to do next, and `code` is one of',
      link: { href: '/docs/errors', text: 'these codes' },
    },
    {
      name: 'Limits',
      text: 'Counted per IP address, or per duckling when signed in. `RateLimit` says how many requests are left. After a 429, wait for `Retry-After` seconds. Each operation names its limit.',
    },
  ]
}
