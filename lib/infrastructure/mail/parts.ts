/** What mails are made of. */
export type Part =
  /** A paragraph. */
  | string
  /** A paragraph that warns. */
  | { warning: string }
  /** A code to type. */
  | { code: string }
  /** Names and values, such as the device of a sign-in. */
  | { facts: [name: string, value: string][] }
  /** A page of the service to open. Opening it changes nothing. */
  | { label: string; url: string }
  /** Things of a kind, numbered. Each has parts of its own. */
  | { items: Part[][] }
  /** A list below a sentence. */
  | { lead: string; list: string[] }
  /** What somebody else wrote, with its line breaks. */
  | { quote: string }
  /** What stands below the mail, in small letters. */
  | { small: Part[] }
