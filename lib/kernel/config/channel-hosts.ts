/**
 * Parses `CHANNEL_HOSTS`: host names and IP addresses, separated by commas, in the form that they have in URLs. Messages to channels may go to
 * them although they are private.
 */
export function parseChannelHosts(value: string, faults: string[]): ReadonlySet<string> {
  const entries = value
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
  const hosts = entries.flatMap((entry) => {
    const url = `http://${entry}/`
    const isHost = URL.canParse(url) && new URL(url).href === `http://${new URL(url).hostname}/`
    if (isHost) return [new URL(url).hostname]
    faults.push(
      `CHANNEL_HOSTS: "${entry}" must be a host name or an IP address, such as ntfy.internal or 192.168.1.5, without scheme, port and path`,
    )
    return []
  })
  return new Set(hosts)
}
