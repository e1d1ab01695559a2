/** What mails are made of. */
export type Part =
  /** A paragraph. */
  | string
  /** What the mail is about, in large letters. */
  | { heading: string }
  /** A paragraph that warns. */
  | { warning: string }
  /** A code to type. */
  | { code: string }
  /** Names and values, such as the device of a sign-in. */
  | { facts: [name: string, value: string][] }
  /** A page of the service to open. Opening it changes nothing. A mail has one button. `isLink`: a link in a line of its own instead. */
  | { label: string; url: string; isLink?: true }
  /** The title of an item, which opens its page. */
  | { title: string; url: string }
  /** Things of a kind, numbered from `start` on. Each has parts of its own. */
  | { items: Part[][]; start?: number }
  /** A list below a sentence. */
  | { lead: string; list: string[] }
  /** What somebody else wrote, with its line breaks. */
  | { quote: string }
  /** What stands below the mail, in small letters. */
  | { small: Part[] }
