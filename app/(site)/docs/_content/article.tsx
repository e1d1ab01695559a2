import { drawings } from '../_drawings/drawings'
import { type Block, blocksOf, choices } from './blocks'
import { CodeFigure } from './code-figure'
import { languages } from './highlight'
import { LanguageChoice } from './language-choice'

/** The body of a page of the documentation, from its Markdown. */
export async function Article({ body }: { body: string }) {
  const blocks = await blocksOf(body)
  const chosen = choices.filter((name) => blocks.some((block) => languagesOf(block).includes(name)))
  return (
    <div className="docs-article max-w-3xl">
      {chosen.length > 0 ? (
        <LanguageChoice languages={chosen.map((name) => ({ name, title: languages[name] }))} />
      ) : null}
      {blocks.map((block, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks of one fixed text
        <BlockPart key={index} block={block} />
      ))}
    </div>
  )
}

/** Returns the languages among which a reader chooses for a block. Empty for a block in one language. */
function languagesOf(block: Block): string[] {
  return block.kind === 'code' && block.codes.length > 1 ? block.codes.map(({ language }) => language) : []
}

function BlockPart({ block }: { block: Block }) {
  if (block.kind === 'drawing') {
    const Drawing = drawings[block.name]
    if (Drawing === undefined) throw new Error(`There is no drawing ${block.name} for the documentation.`)
    return (
      <figure className="my-8">
        <div role="img" aria-label={block.text}>
          <Drawing />
        </div>
      </figure>
    )
  }
  if (block.kind === 'prose')
    return (
      <div
        className="prose-beak"
        // biome-ignore lint/security/noDangerouslySetInnerHtml: made from files of the repository, without text of users
        dangerouslySetInnerHTML={{ __html: block.html }}
      />
    )
  return block.codes.map(({ language, html }) => (
    <CodeFigure
      key={language}
      title={languages[language]}
      html={html}
      choice={block.codes.length > 1 ? language : undefined}
      hasCopy={language !== 'text'}
    />
  ))
}
