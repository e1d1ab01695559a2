/** The command for sites of the operator, whose visitors sign in with Beak. */
import { NewSite, siteId } from '@/lib/domain/oauth/site-schema'
import {
  deleteSiteByHost,
  listSitesOfHost,
  registerSiteByHost,
  renewSecretByHost,
} from '@/lib/domain/oauth/sites'
import { config } from '@/lib/kernel/config'
import { readClock } from '@/lib/kernel/runtime/clock'
import { type Command, CommandRefused, parseOptions, UsageError, type Work } from './command'

const options = {
  'after-sign-out': { type: 'string', multiple: true },
  notify: { type: 'string' },
  delete: { type: 'string' },
  'sign-with': { type: 'string' },
  'new-secret': { type: 'string' },
} as const

async function list(): Promise<string> {
  const sites = await listSitesOfHost()
  if (sites.length === 0) return 'The operator has registered no site.'
  return sites
    .map(({ id, host, name, selfRegistered, secretHash }) =>
      [
        id,
        host,
        selfRegistered ? 'registered itself' : name,
        ...(secretHash.length === 0 ? ['its secret has ended'] : []),
      ].join('  '),
    )
    .join('\n')
}

const noSuchSite = 'The operator has no such site.'

const end =
  (id: string): Work =>
  async () => {
    if (!(await deleteSiteByHost(id, readClock()))) throw new CommandRefused(noSuchSite)
    return 'The site was deleted, and all sign-ins there have ended.'
  }

const renew =
  (id: string): Work =>
  async () => {
    const secret = await renewSecretByHost(id, readClock())
    if (secret === null) throw new CommandRefused(noSuchSite)
    return `client_secret: ${secret}\nThe secret cannot be read again. The one before has ended.`
  }

function parse(args: string[]): Work {
  const { values, positionals } = parseOptions('site', { args, options, allowPositionals: true })
  const { delete: deleted, notify = null, 'after-sign-out': logoutUris = [], 'sign-with': alg } = values
  const [name, ...redirects] = positionals
  const named = deleted ?? values['new-secret']
  if (named !== undefined) {
    const id = siteId.safeParse(named)
    if (!id.success || name !== undefined)
      throw new UsageError('site: --delete and --new-secret need the client_id, alone.')
    return deleted === undefined ? renew(id.data) : end(id.data)
  }
  if (name === undefined) return list
  const site = NewSite.safeParse({
    name,
    redirect_uris: redirects,
    post_logout_redirect_uris: logoutUris,
    backchannel_logout_uri: notify,
    id_token_signed_response_alg: alg,
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
    { args: '', summary: 'Lists the sites that no account registered, whose visitors sign in with Beak.' },
    {
      args: '<name> <redirect_uri>... [--after-sign-out <uri>]... [--notify <uri>] [--sign-with <alg>]',
      summary: 'Registers a site and prints its client_id and secret.',
    },
    {
      args: '--new-secret <client_id>',
      summary: 'Replaces the secret of a site, for instance after a restore.',
    },
    { args: '--delete <client_id>', summary: 'Deletes such a site, with all sign-ins there.' },
  ],
  details:
    'All addresses are at one host, over https (http for localhost). --after-sign-out: where people may go\nafter a sign-out. --notify: gets a logout token when a sign-in ends. --sign-with: RS256 (default) or\nEdDSA, for ID tokens and logout tokens. People register sites of their own at /sites.',
  parse,
}
