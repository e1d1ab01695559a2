/**
 * Finds commands that install or run a package of ours by its bare name. The names are not published: whoever takes one could run code at
 * everybody who follows the text. A folder (`./beak/packages/client`) and an address are safe. Also finds addresses with plain http on
 * other computers, where others could replace the package on its way.
 */

const commands =
  /\b(?:(?:npm|pnpm|yarn|bun)\s+(?:-\S+\s+)*(?:i|install|add|exec|x|dlx)|npx|bunx|uvx|(?:pip3?|uv pip|pipx)\s+(?:-\S+\s+)*(?:install|run)|(?:uv|poetry)\s+add)\s([^\n]*)/g

/** The names of our packages and commands, with what can follow a name: a version, an extra, or a path in the package. */
const ourName = /^(?:@beak\/|beak(?:-client)?(?:$|[[=@<>~!/]))/

/** A program in the configuration of a client of MCP: `"command": "npx", "args": ["-y", "…"]`. */
const inConfiguration = /["'](?:npx|bunx|uvx)["'][^\]]{0,200}?["'](?:@beak\/|beak(?:-client)?[@"'])/g

/** A name with extras before an address: pip gets the package from the address. */
const nameOfAddress = /beak-client(?:\[[\w,]+\])? @ (?=https?:|\$\{)/g

/** Plain http to another computer. */
const insecure = /^http:\/\/(?!(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?:[:/]|$))/

/** Returns the words of a command: up to its end, or to the end of its code in a text. */
function wordsOf(rest: string): string[] {
  const [command = ''] = rest.split(/`|\\n|[;&|#]|<\//)
  return command.split(/\s+/).map((word) => word.replace(/^["'({]+|["')}.,:]+$/g, ''))
}

/** Returns the commands in a text that name one of our packages without a folder or a safe address. */
export function barePackageCommands(text: string): string[] {
  const shown = [...text.matchAll(commands)].filter(([, rest = '']) =>
    wordsOf(rest.replace(nameOfAddress, '')).some((word) => ourName.test(word) || insecure.test(word)),
  )
  return [...shown, ...text.matchAll(inConfiguration)].map(([command]) => command)
}
