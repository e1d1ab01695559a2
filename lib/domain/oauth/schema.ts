import { z } from 'zod'
import { scopes } from '@/lib/domain/agents/scopes'
import { instant } from '@/lib/kernel/request/fields'
import { siteScopes } from './site-scopes'

/** The consent that a program waits for, as its page names it. `browser` is the value of a cookie that only the browser of the program has. */
export const consentBody = z.strictObject({
  request: z.string().regex(/^[\w-]{16,64}$/),
  browser: z.string().max(64),
})

export const SiteAsked = z
  .object({
    name: z.string().meta({ description: 'What the site calls itself. Nobody has checked it.' }),
    host: z.string().meta({ description: 'Where the browser goes back to.' }),
    self_registered: z.boolean().meta({
      description: 'It registered itself, so nobody answers for it. Its name is then its host.',
    }),
    scopes: z.array(z.enum(siteScopes)).meta({ description: 'What it asks for, and you can give.' }),
    missing: z
      .array(z.enum(siteScopes))
      .meta({ description: 'What it asks for too, and you do not have: `handle` or `certificate`.' }),
    allowed: z.array(z.enum(siteScopes)).meta({ description: 'What you have allowed it before.' }),
    allowed_at: instant.nullable().meta({ description: 'Null: you have not signed in there yet.' }),
    passkey_missing: z
      .boolean()
      .meta({ description: 'The site wants a sign-in with a passkey, and you have none.' }),
  })
  .meta({ id: 'SiteAsked', description: 'A site that wants to sign you in.' })

/** What a program or a site asks, before anybody has decided. */
export const Consent = z
  .object({
    client_name: z.string().meta({ description: 'What the program calls itself. Nobody has checked it.' }),
    document_host: z.string().nullable().meta({
      description:
        'The host whose document describes the program, where the service read it. Null: the program described itself when it registered.',
    }),
    return_host: z
      .string()
      .meta({ description: 'The host that gets the code. `localhost`: a program on this computer.' }),
    scopes: z.array(z.enum(scopes)).meta({ description: 'What it asks for.' }),
    connected: z
      .object({
        agent_id: z.string(),
        agent_name: z.string(),
        status: z.string(),
        scopes: z.array(z.enum(scopes)).meta({ description: 'What it may do now.' }),
      })
      .nullable()
      .meta({ description: 'The agent that this program has already, which it then gets again.' }),
    agent_name: z.string().nullable().meta({
      description:
        'A name for the agent: the one that it has, or what the program calls itself. Null: an agent cannot have that name.',
    }),
    agents_max: z.int().nullable().meta({
      description:
        'How many agents an account may have, when this one has so many and the program needs another. Else null.',
    }),
    site: SiteAsked.nullable().meta({ description: 'Null for a program. A site asks for nothing else.' }),
  })
  .meta({ id: 'Consent' })

/** Where the browser goes after the decision: back to the authorization server, which sends it to the program. */
export const ConsentDecision = z.object({
  decision: z.enum(['allowed', 'denied']),
  agent_id: z.string().nullable(),
  continue: z.string(),
})

export const SiteConsent = z
  .object({
    site_id: z.string(),
    name: z.string(),
    host: z.string(),
    scopes: z.array(z.enum(siteScopes)).meta({ description: 'What it may learn of you.' }),
    allowed_at: instant,
    last_used_at: instant.nullable().meta({ description: 'When you last signed in there.' }),
  })
  .meta({ id: 'SiteConsent', description: 'A site where you sign in with Beak.' })
