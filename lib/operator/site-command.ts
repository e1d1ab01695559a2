/** The command for sites of the operator, whose visitors sign in with Beak. */
import { NewSite, siteId } from '@/lib/domain/oauth/site-schema'
import { deleteSiteByHost, listSitesOfHost, registerSiteByHost } from '@/lib/domain/oauth/sites'
import { config } from '@/lib/kernel/config'
import { readClock } from '@/lib/kernel/runtime/clock'
import { type Command, CommandRefused, parseOptions, UsageError, type Work } from './command'

const options = {
  'after-sign-out': { type: 'string', multiple: true },
  notify: { type: 'string' },
  delete: { type: 'string' },
} as const

async function list(): Promise<string> {
  const sites = await listSitesOfHost()
  if (sites.length === 0) return 'The operator has registered no site.'
  return sites.map(({ id, host, name }) => `${id}  ${host}  ${name}`).join('\n')
}

function parse(args: string[]): Work {
  const { values, positionals } = parseOptions('site', { args, options, allowPositionals: true })
  const { delete: deleted, notify = null, 'after-sign-out': logoutUris = [] } = values
  const [name, ...redirects] = positionals
  if (deleted !== undefined) {
    const id = siteId.safeParse(deleted)
    if (!id.success || name !== undefined) throw new UsageError('site: --delete needs the client_id, alone.')
    return async () => {
      if (!(await deleteSiteByHost(id.data, readClock())))
        throw new CommandRefused('The operator has no such site.')
      return 'The site was deleted, and all sign-ins there have ended.'
    }
  }
  if (name === undefined) return list
  const site = NewSite.safeParse({
    name,
    redirect_uris: redirects,
    post_logout_redirect_uris: logoutUris,
    backchannel_logout_uri: notify,
  })
  if (!site.success) {
    const [{ path, message } = { path: [], message: '' }] = site.error.issues
    throw new UsageError(`site: ${path.join('.')} ${message}.`)
  }
  return async () => {
    const { client_id, client_secret } = await registerSiteByHost(site.data, readClock())
    return `issuer: ${config().baseUrl}\nclient_id: ${client_id}\nclient_secret: ${client_secret}\nThe secret cannot be read again.`
  }
}

export const siteCommand: Command = {
  name: 'site',
  forms: [
    { args: '', summary: 'Lists the sites of the operator whose visitors sign in with Beak.' },
    {
      args: '<name> <redirect_uri>... [--after-sign-out <uri>]... [--notify <uri>]',
      summary: 'Registers a site and prints its client_id and secret.',
    },
    { args: '--delete <client_id>', summary: 'Deletes a site of the operator, with all sign-ins there.' },
  ],
  details:
    'All addresses are at one host, over https (http for localhost). --after-sign-out: where people may go\nafter a sign-out. --notify: gets a logout token when a sign-in ends. People register sites of their own at /sites.',
  parse,
}
