/** What the compiled sentences are made of. `scripts/messages/compile.mjs` writes the functions that have these types. */

/** A piece of a sentence with markup, such as `See <link>the rules</link>.` */
export type MessagePart =
  | { type: 'text'; value: string }
  | { type: 'markup-start' | 'markup-end' | 'markup-standalone'; name: string }

/** Carries the names of a sentence's markup in its type. No value has this property. */
export interface MessageMetadata<Markup> {
  readonly ' markup'?: Markup
}
