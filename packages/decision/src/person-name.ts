/** The names of people as texts show them: the full name in any script, or the display name. */
/** For a name in plain text. Pages use `<bdi>` instead. */
export { isolated } from './isolated'

interface Named {
  display_name: string
  full_name?: string | null
}

/** Returns the name that people see. */
export function personName({ full_name, display_name }: Named): string {
  return full_name ?? display_name
}

/** Returns the end of an id, which tells people with the same name apart. */
export const idTail = (id: string): string => id.slice(-4)

/** Returns what stands beside a name: the handle, or the end of the id ("…7F3K"). */
export const personMark = (handle: string | undefined, id: string): string =>
  handle === undefined ? `…${idTail(id)}` : `@${handle}`
