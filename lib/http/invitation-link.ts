import { wantsJson } from './wants-json'

/**
 * Returns the address of the API that answers a program at the page of an invitation link, or null for any other request. A browser asks for
 * HTML and gets the page.
 */
export function invitationForProgram(target: string, accept: string): string | null {
  const token = /^\/ask\/([0-9A-Za-z]+)\/?$/.exec(target)?.[1]
  return token === undefined || !wantsJson(accept) ? null : `/beak/invitation/view?token=${token}`
}
