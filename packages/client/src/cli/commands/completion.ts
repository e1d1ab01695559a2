import { command } from '../command'

const shells = ['bash', 'zsh', 'fish'] as const

/** The scripts ask the command itself, so they stay right when it gets new commands. */
const scripts: Record<(typeof shells)[number], string> = {
  bash: `_beak() {
  local IFS=$'\\n'
  COMPREPLY=($(beak __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
  [[ \${COMPREPLY[0]} == *= ]] && compopt -o nospace
}
complete -o default -F _beak beak`,
  zsh: `#compdef beak
_beak() {
  local -a found
  found=("\${(@f)$(beak __complete "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  compadd -- $found || _files
}
compdef _beak beak`,
  fish: `complete -c beak -f -a '(beak __complete (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)'`,
}

export const completion = command({
  name: 'completion',
  summary: 'Print a script that completes commands in your shell.',
  details: `bash:  echo 'source <(beak completion bash)' >> ~/.bashrc
zsh:   echo 'source <(beak completion zsh)' >> ~/.zshrc
fish:  beak completion fish > ~/.config/fish/completions/beak.fish`,
  args: [{ name: 'shell', summary: 'Your shell.', choices: shells }],
  async run({ args: [shell], session }) {
    session.output.print(`${scripts[shell as (typeof shells)[number]]}\n`)
  },
})
