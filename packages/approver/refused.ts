/** Why this page refuses a message, and what the person can do. Every text says what happened first. */

const startAgain = 'Nothing was signed. Go back to the service and start again.'
const tellThem = 'Nothing was signed. If you use this service, tell the people who run it.'

export const refusals = {
  frame: {
    title: 'Open this page in a window of its own',
    text: 'Another page shows this page inside of itself. That page could cover what you sign, so nothing can be signed here.',
  },
  insecure: {
    title: 'This address is not safe for an approver',
    text: 'An approver needs an address with https, or one on this computer that ends with .localhost, such as approver.localhost. Open it there.',
  },
  no_passkeys: {
    title: 'This browser has no passkeys',
    text: 'Open this page in a newer browser.',
  },
  no_memory: {
    title: 'This browser lets the page store nothing',
    text: 'The approver has to remember your services. Leave the private window, or allow this site to store data, and reload the page.',
  },
  changed: {
    title: 'The request changed while this page was open',
    text: 'Nothing was signed. Read the new request from the beginning.',
  },
  too_long: { title: 'This message is too long', text: tellThem },
  unreadable: {
    title: 'This message can’t be read',
    text: 'The address is not complete, or it was made for another version of the approver. Go back to the service and start again.',
  },
  service_address: {
    title: 'The address of the service is not valid',
    text: `A service needs an address with https, or one on this computer. ${tellThem}`,
  },
  return_address: {
    title: 'The message leads to another site',
    text: `The answer would not go to the service that the message names. ${tellThem}`,
  },
  same_site: {
    title: 'The service has the same host as this approver',
    text: 'Pages of that service could use the passkeys of this approver, so it would protect nothing. Put the approver on a host that the service does not control.',
  },
  answered: {
    title: 'You answered this request already',
    text: 'Each request is answered once. Go back to the service to see what became of it.',
  },
  not_enrolled: {
    title: 'This service is not set up here',
    text: 'Nothing was signed, and nothing goes back. If you use this service, set up this approver there under Security. Otherwise close this page.',
  },
  other_account: {
    title: 'The request is for another account',
    text: 'This browser knows the service, but not this account. Nothing was signed. Sign in to the right account at the service, or set up this approver for that account.',
  },
  statement: { title: 'What you would sign can’t be read', text: tellThem },
  statement_version: {
    title: 'The statement has a version that this page does not sign',
    text: `This page signs version 3 only, because older versions do not name the approver. ${tellThem}`,
  },
  other_issuer: { title: 'The statement is for another service', text: tellThem },
  other_approver: { title: 'The statement is for another approver', text: tellThem },
  undecided: { title: 'The statement says neither approve nor reject', text: tellThem },
  action: {
    title: 'The action has a form that no service uses',
    text: `It could look like a sentence of this page. ${tellThem}`,
  },
  expired: {
    title: 'The time to decide is over',
    text: 'Nothing was signed. If you still want this, let the requester ask again. If the time looks wrong to you, check the clock of this device.',
  },
  params_missing: {
    title: 'Some values are missing',
    text: `You would sign values that you can’t see. ${startAgain}`,
  },
  values_differ: {
    title: 'The values are not those of the statement',
    text: `The service sent values to show that the signature would not be about. ${tellThem}`,
  },
} as const satisfies Record<string, { title: string; text: string }>

export type RefusalReason = keyof typeof refusals

/** Thrown for a message that this page does not answer. */
export class Refused extends Error {
  constructor(readonly reason: RefusalReason) {
    super(refusals[reason].title)
  }
}
