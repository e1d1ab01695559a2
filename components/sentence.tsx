/** A sentence with parts that are elements: values that no translator changes, links, bold words, names with a picture. */
import { Fragment, type ReactNode } from 'react'
import type { MessageMetadata, MessagePart } from '@/lib/kernel/messages/parts'
import { withKept } from '@/lib/kernel/text/kept-values'
import { withBdi } from './kept-text'

/** Renders one part. `children`: the words between `<name>` and `</name>`, or nothing for `<name/>`. */
type RenderPart = (children: ReactNode) => ReactNode

interface WithParts<Inputs, Markup> extends MessageMetadata<Markup> {
  (inputs: Inputs): string
  parts?(inputs: Inputs): MessagePart[]
}

type SentenceProps<Inputs, Markup> = {
  /** A sentence of the table: `m.signin_read_rules` of `See <link>the rules</link>.` */
  of: WithParts<Inputs, Markup>
} & (object extends Markup
  ? { parts?: undefined }
  : {
      /** How each part is rendered, by its name in the sentence. */
      parts: { [Name in keyof Markup]: RenderPart }
    }) &
  (object extends Inputs ? { with?: Inputs } : { /** The values of the sentence. */ with: Inputs })

/**
 * Shows a sentence with markup, or with values that stay when a page is translated (`lib/kernel/text/kept-values.ts`). The order of the parts
 * follows the language; the elements follow the page.
 */
export function Sentence<Inputs, Markup>({
  of,
  with: inputs,
  parts,
}: SentenceProps<Inputs, Markup>): ReactNode {
  const render = (name: string, children: ReactNode[]) => parts?.[name as keyof Markup](toNode(children))
  const open: { name: string; children: ReactNode[] }[] = [{ name: '', children: [] }]
  const last = () => open[open.length - 1] ?? { name: '', children: [] }
  const values = withKept(inputs as Inputs)
  for (const part of of.parts?.(values) ?? [{ type: 'text' as const, value: of(values) }]) {
    if (part.type === 'text') last().children.push(withBdi(part.value))
    else if (part.type === 'markup-standalone') last().children.push(render(part.name, []))
    else if (part.type === 'markup-start') open.push({ name: part.name, children: [] })
    else {
      const { name, children } = open.pop() ?? last()
      last().children.push(render(name, children))
    }
  }
  return toNode(last().children)
}

function toNode(children: ReactNode[]): ReactNode {
  // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence keep their places
  return children.map((child, index) => <Fragment key={index}>{child}</Fragment>)
}
