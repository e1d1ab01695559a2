import { displayTypes } from '@beak/decision/param-types'
import { z } from 'zod'
import { PeckDetails, peckDetails } from '@/lib/domain/pecks/lists/details'
import { peckIds } from '@/lib/domain/pecks/schema'
import { endpoint } from '@/lib/http/endpoint'

const shownTypes = displayTypes.map((type) => `\`${type}\``).join(', ')

// What a person needs for a decision besides the peck itself.
export const GET = endpoint({
  operationId: 'getPeckDetails',
  summary: 'Read what helps to decide on pecks',
  description:
    'For up to 100 pecks that you sent or received, in `peck_ids`, separated by commas: the lifetime asked for, the certificate of the person behind the request, whether you block them, whether a passkey signed the approval, and when the grant was revoked. Pecks of other people are left out.',
  remarks: [
    '`first_line` `{rule, text, wording?}` is what to read first: whom the asker looks like (`same_name`, `look_alike`, and at a first contact `other_agent`), else the first reason of a high risk, else that somebody else asks for the first time (`first_time_asker`), else the first reason. The decision page, mails, messages on channels, home cards and inbox rows begin with it. Without `details` of the channel, a line with a value is left out.',
    `\`display\` is what the decision page shows, in English, as it is signed. Its values are sorted: those with a warning first, then secrets, amounts (the largest first, in any currency), what the action is done to (whom it reaches when it sends something, then what has the name of the object, such as \`database\` in \`delete:database\`, then \`name\`, \`target\`, \`to\`, \`table\`, …), all others then by type (${shownTypes}), what is only true or false, and last the code of a currency beside an amount. Equal ones are sorted by length and text, never by the order of the params. \`decides\` marks the first that is no secret and not only true or false, and none when several name what the action is done to equally. \`domain\` is the part of a host that its owner registered, by the public suffix list. A receipt has the same values in the order of the params, without these two.`,
    'An amount has all its digits (`1e-7` EUR is €0.0000001). A number that counts a smallest unit by its name (`amount_cents`, `priceInCents`) or by a param `unit` beside it is shown in the currency: 4999 is €49.99. One that can be read in two ways, such as cents of yen, is shown as it was sent, with a warning. `version` 2 of `display` has these forms.',
  ],
  auth: 'session',
  limit: 'authenticated',
  cost: ({ query }) => query.peck_ids.length / 4,
  query: z.strictObject({ peck_ids: peckIds }),
  response: z.object({ items: z.array(PeckDetails) }),
  handle: async (context, { query }) => ({ items: await peckDetails(context, query.peck_ids) }),
})
