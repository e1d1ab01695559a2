import { CopyCode } from './copy-code'

interface CodeFigureProps {
  title: string
  /** The code in colours, from `highlight`. */
  html: string
  /** The language, when the reader chooses one of several. */
  choice?: string | undefined
  /** Wraps long lines and limits the height, for narrow columns. */
  isNarrow?: boolean
  hasCopy?: boolean
}

/** A block of code with its title and a button that copies it. */
export function CodeFigure({ title, html, choice, isNarrow = false, hasCopy = true }: CodeFigureProps) {
  return (
    <figure
      data-choice={choice}
      className={`min-w-0 rounded-card border border-line bg-sunken p-3 ${isNarrow ? '' : 'my-5'}`}
    >
      <figcaption className="flex items-center justify-between gap-3 text-sm font-semibold">
        {title}
        {hasCopy ? <CopyCode /> : null}
      </figcaption>
      <pre
        translate="no"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable text must be reachable by keyboard
        tabIndex={0}
        className={
          isNarrow
            ? 'mt-2 max-h-128 overflow-auto text-xs whitespace-pre-wrap wrap-anywhere'
            : 'mt-2 overflow-x-auto'
        }
      >
        <code
          translate="no"
          // biome-ignore lint/security/noDangerouslySetInnerHtml: `highlight` escapes the code, which has no text of users
          dangerouslySetInnerHTML={{ __html: html }}
        />
      </pre>
    </figure>
  )
}
