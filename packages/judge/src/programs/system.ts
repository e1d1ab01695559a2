/** The computer: processes, services, users, schedules, and the coding agents themselves. */

import { checkWrite } from '../files'
import { absolute, areaOf } from '../paths'
import type { Line } from '../shell/line'
import { readOptions } from '../shell/options'
import type { Scope } from '../shell/scope'
import { isKnown, unknown, type Word } from '../shell/words'
import { isDevTool } from './builders'
import { hostOf, isLocal } from './network'
import { type Rule, rulesFor } from './rule'

/** Variables that change which programs start, or where they send. */
const startingVariable =
  /^(?:LD_\w+|DYLD_\w+|BASH_ENV|ENV|BASH_FUNC\w*|PROMPT_COMMAND|PS4|IFS|SHELLOPTS|GIT_\w+|PERL5OPT|PERL5LIB|RUBYOPT|RUBYLIB|PYTHONSTARTUP|PYTHONHOME|PYTHONINSPECT|NODE_OPTIONS|NODE_EXTRA_CA_CERTS|NODE_TLS_REJECT_UNAUTHORIZED|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|(?:npm|NPM|yarn|YARN|pip|PIP|UV|CARGO|GO|BUNDLE|GEM)_?\w*(?:REGISTRY|INDEX|PROXY|SCRIPT_SHELL|USERCONFIG|SOURCE|WRAPPER|RUSTC|TOOLEXEC)\w*|npm_config_(?:registry|script_shell|userconfig|prefix)|(?:https?|all|ftp)_proxy|(?:HTTPS?|ALL|FTP)_PROXY|SHELL|HOME|XDG_\w+|PATH|\w*PAGER|\w*EDITOR|VISUAL|BROWSER|MAKEFLAGS|RUSTC_WRAPPER|RUSTC|RUSTDOC|RUSTFLAGS|CARGO_\w*(?:RUNNER|LINKER|RUSTFLAGS)|PYTHONPATH|NODE_PATH|CLASSPATH|CC|CXX|LESSOPEN|LESSCLOSE|SSH_\w+|DOCKER_HOST|KUBECONFIG|AWS_(?:PROFILE|ENDPOINT\w*)|DATABASE_URL)$/
/** Values of these variables that everybody uses. */
const harmlessValue: Record<string, RegExp> = {
  GIT_PAGER: /^(?:cat|)$/,
  PAGER: /^(?:cat|less|)$/,
  MANPAGER: /^cat$/,
  GIT_EDITOR: /^(?:true|:|cat)$/,
  GIT_SEQUENCE_EDITOR: /^(?:true|:|cat)$/,
  EDITOR: /^(?:true|:|cat|vim?|nano)$/,
  VISUAL: /^(?:true|:|cat)$/,
  GIT_TERMINAL_PROMPT: /^0$/,
  GIT_OPTIONAL_LOCKS: /^0$/,
  GIT_MERGE_AUTOEDIT: /^no$/,
  GIT_AUTHOR_NAME: /./,
  GIT_AUTHOR_EMAIL: /./,
  GIT_AUTHOR_DATE: /./,
  GIT_COMMITTER_NAME: /./,
  GIT_COMMITTER_EMAIL: /./,
  GIT_COMMITTER_DATE: /./,
  GIT_LFS_SKIP_SMUDGE: /./,
  GIT_TRACE: /^[01]$/,
  NODE_OPTIONS:
    /^(?:\s*--(?:max[-_]old[-_]space[-_]size=\d+|experimental[\w-]*|no-[\w-]+|enable-source-maps|trace-[\w-]+|openssl-legacy-provider|unhandled-rejections=\w+|stack-size=\d+)\s*)*$/,
  BROWSER: /^(?:none|false|true|)$/,
  CC: /^(?:gcc|clang|cc)(?:-\d+)?$/,
  CXX: /^(?:g\+\+|clang\+\+|c\+\+)(?:-\d+)?$/,
  MAKEFLAGS: /^-j\s?\d*$/,
  IFS: /^[\s,:;|]*$|^\\n$/,
  DATABASE_URL: /localhost|127\.0\.0\.1|^(?:sqlite|file):|^$|@(?:db|postgres|mysql)[:/]/,
  DOCKER_HOST: /^unix:/,
  RUSTFLAGS:
    /^(?:\s*-(?:[DWA]\s?[\w:-]+|C\s?(?:target-cpu|opt-level|debuginfo|codegen-units|lto|strip)=\S+))*\s*$/,
  // Folders of the project.
  NODE_PATH: /^(?:\.|[\w-][\w/-]*)$/,
  CLASSPATH: /^[\w.*:-][\w./*:-]*$/,
}
/** Folders of programs that a value of `PATH` may have. */
const pathPart =
  /^(?:\$PATH|\0|\$\{PATH\}|(?:\0|\.)?\/?node_modules\/\.bin|[\w./-]*\/\.?venv\/bin|[^:]*\/node_modules\/\.bin|\/usr\/(?:local\/)?s?bin|\/s?bin|\/opt\/[\w./-]+|\/usr\/[\w./-]+|(?:\/[\w-]+\/[\w-]+|~|\0)\/(?:\.cargo|\.local|\.nvm|\.bun|\.deno|\.volta|go|\.pyenv|\.rbenv|\.asdf|\.dotnet|\.pub-cache|\.poetry|\.rye)[\w./-]*)$/

/** Whether a folder for modules of Python is one of the project, or what the variable had before. */
const isInFolder = (path: string, line: Line, scope: Scope): boolean =>
  path === unknown ||
  (!path.includes(unknown) &&
    areaOf(absolute(path, scope.cwd ?? '/', line.place.home), line.place) === 'folder')

const assign: Rule = ({ line, scope, args }) => {
  if (args.some(({ text }) => /^-\w*p/.test(text)) && args.length < 2)
    line.ask('secret_variable', scope, { action: 'read:secrets', values: { name: 'all of the environment' } })
  for (const word of args) {
    const [name = '', ...rest] = word.text.split('=')
    if (!word.text.includes('=')) continue
    const value = rest.join('=')
    line.hasChanged = true
    if (/^(?:BEAK_\w*|CLAUDE_CONFIG_DIR|CLAUDE_CODE_\w*|CODEX_\w+)$/.test(name)) {
      line.ask('agent_settings', scope, { level: 'high', action: 'change:agent-settings', values: { name } })
    } else if (startingVariable.test(name)) {
      const known = harmlessValue[name]
      if (name === 'PYTHONPATH' && value.split(':').every((part) => isInFolder(part, line, scope))) continue
      if (
        name === 'PATH' ? value.split(':').every((part) => pathPart.test(part)) : known?.test(value) === true
      )
        continue
      line.ask('changes_variable', scope, { level: 'high', values: { name } })
    }
  }
}

/** Programs whose end ends the guard. */
const guards = /beak|claude|codex|^-?\.?$|\.\*|^node$|^(?:ba|z)?sh$/i

const kill: Rule = ({ line, scope, args, name }) => {
  const { rest, has } = readOptions(args, '-s -n -u -U -t -g -P --signal --user')
  if (args.some(({ text }) => /^-(?:l|L|0)$/.test(text))) return
  const searched = /\b(?:pgrep|pidof|ps|grep)\b[^|;&)]*\b(?:beak|claude|codex|node)\b/i.test(line.text)
  if (searched)
    return line.ask('agent_settings', scope, {
      level: 'high',
      action: 'change:agent-settings',
      values: { name },
    })
  // A job of this shell, and what a search for a port found.
  const isOwn =
    name === 'kill' &&
    rest.length > 0 &&
    rest.every(
      (word) =>
        /^%/.test(word.text) ||
        word.variables.some((one) => one === '!') ||
        (/^\0$/.test(word.text) && !word.isHidden) ||
        word.text === '0',
    )
  if (isOwn && !rest.some(({ text }) => text === '0' || text === '-1')) return
  const isGuard =
    rest.some((word) => guards.test(word.text)) ||
    has('-u', '-U') ||
    rest.some(({ text }) => text === '-1' || text === '0') ||
    args.some(({ text }) => text === '-1')
  if (isGuard)
    return line.ask('agent_settings', scope, {
      level: 'high',
      action: 'change:agent-settings',
      values: { name: rest.map(({ text }) => text).join(' ') },
    })
  // A server that the agent has started for the project.
  if (rest.length > 0 && rest.every(({ text }) => isDevTool(text.split(/\s/)[0] ?? ''))) return
  line.ask('ends_programs', scope, {
    level: 'low',
    action: 'end:programs',
    params: { programs: rest.map(({ text }) => text.replaceAll(unknown, '…')) },
    values: { programs: rest.map(({ text }) => text.replaceAll(unknown, '…')).join(' ') },
  })
}

const askSystem: Rule = ({ line, scope, name }) =>
  line.ask('changes_system', scope, { level: 'high', values: { name } })

const readOr =
  (pattern: RegExp): Rule =>
  (command) => {
    if (!command.args.some(({ text }) => pattern.test(text))) askSystem(command)
  }

/** Starts an agent, or changes which hooks one runs. */
const agent: Rule = ({ line, scope, args }) => {
  const texts = args.map(({ text }) => text)
  if (
    texts.length > 0 &&
    texts.every((text) => /^(?:--version|-v|-V|--help|-h|doctor|mcp|list|status|login-status)$/.test(text))
  )
    return
  const isGuard =
    !args.every(isKnown) ||
    texts.some((text) =>
      /^(?:--bare|--disable\w*|--dangerously|--settings|--setting-sources|-c$|--config|--allow|--permission|--full-auto|--yolo|-a$|--sandbox|-s$|mcp|config|hooks?|plugin|remove|disconnect|--ask-for-approval)/.test(
        text,
      ),
    )
  line.ask(isGuard ? 'agent_settings' : 'starts_agent', scope, {
    level: isGuard ? 'high' : 'medium',
    action: isGuard ? 'change:agent-settings' : 'run:command',
  })
}

/** Subcommands of programs that only show something, by program. */
const showing: Record<string, RegExp> = {
  adb: /^(?:devices|logcat|version|get-state|get-serialno|wait-for-device|start-server|bugreport)$/,
  celery: /^(?:inspect|status|report|events|help)$/,
  act: /^(?:-l|--list|-n|--dryrun|-g|--graph|--version)$/,
  dvc: /^(?:status|diff|dag|list|metrics|params|plots|version|doctor|config)$/,
  skaffold: /^(?:diagnose|version|schema|lint|inspect|filter)$/,
}

export const system: [string, Rule][] = [
  ...rulesFor(Object.keys(showing).join(' '), ({ line, scope, args, name }) => {
    const words = readOptions(args, '-A --app -s -e_ -d_').rest
    if (args.some(({ text }) => showing[name]?.test(text) === true) && words.length < 4)
      return line.build(scope)
    line.ask('unknown_command', scope, { values: { command: name } })
  }),
  ...rulesFor('export declare typeset readonly local', assign),
  ...rulesFor('unset', ({ line, scope, args }) =>
    assign({
      line,
      scope,
      name: 'export',
      args: readOptions(args).rest.map((word): Word => ({ ...word, text: `${word.text}=` })),
    }),
  ),
  ...rulesFor('kill pkill killall xkill fuser skill', kill),
  ...rulesFor(
    'shutdown reboot halt poweroff init telinit insmod rmmod modprobe sysctl iptables ip6tables nft ufw firewall-cmd setenforce useradd userdel usermod groupadd adduser deluser addgroup passwd chpasswd chsh visudo vipw gpasswd newgrp chroot unshare nsenter setcap capsh setfacl chattr at batch systemd-run update-rc.d chkconfig ip route hostnamectl timedatectl spctl csrutil dscl nvram tmutil pmset networksetup scutil reg regedit bcdedit schtasks net netsh wmic taskkill sc vssadmin cipher icacls takeown update-alternatives ldconfig loginctl swapoff swapon',
    askSystem,
  ),
  ...rulesFor(
    'systemctl service launchctl rc-service supervisorctl pm2 initctl',
    readOr(
      /^(?:status|list.*|show|is-active|is-enabled|cat|print.*|ls|jlist|logs|monit|--version|describe|prettylist)$/,
    ),
  ),
  ...rulesFor('crontab', readOr(/^-l$/)),
  ...rulesFor('journalctl dmesg', () => {}),
  ...rulesFor('defaults', readOr(/^(?:read|domains|find|help)$/)),
  ...rulesFor(
    'security secret-tool kwallet-query pass gpg gpg2 ssh-keygen ssh-add ssh-agent ssh-keyscan keytool openssl age-keygen',
    ({ line, scope, args, name }) => {
      const texts = args.map(({ text }) => text)
      if (
        /^(?:openssl)$/.test(name) &&
        /^(?:version|dgst|rand|sha\d+|md5|x509|s_client|verify|ciphers|list|prime|passwd)$/.test(
          texts[0] ?? '',
        )
      ) {
        if (texts[0] === 's_client' && !isLocal(hostOf(texts[texts.indexOf('-connect') + 1] ?? '')))
          line.ask('sends', scope, { action: 'send:data', values: { host: 'another computer' } })
        return
      }
      if (
        /^gpg2?$/.test(name) &&
        texts.every(
          (text) =>
            /^(?:--verify|--version|--list-keys|--fingerprint|-k)$/.test(text) || !text.startsWith('-'),
        )
      )
        return
      if (
        name === 'ssh-keyscan' ||
        (name === 'ssh-keygen' && texts.some((text) => /^-(?:l|lf|F)$/.test(text))) ||
        (name === 'ssh-add' && texts.join() === '-l')
      )
        return
      line.ask('secret_file', scope, {
        level: 'high',
        action: 'read:secrets',
        values: { path: `${name} ${texts[0] ?? ''}`.replaceAll(unknown, '…') },
      })
    },
  ),
  ...rulesFor('screen tmux', ({ line, scope, args }) => {
    if (
      !args.some(({ text }) => /^(?:ls|list.*|capture-pane|-ls|has-session|-V|display-message)$/.test(text))
    )
      line.ask('runs_inside', scope, { level: 'medium' })
  }),
  ...rulesFor('script', ({ line, scope, args }) => {
    const { given, rest } = readOptions(args, '-c --command -t -T')
    const text = given.get('-c') ?? given.get('--command')
    if (text !== undefined) line.runInside(text.text.replaceAll(unknown, '$UNKNOWN'), scope)
    for (const word of rest) checkWrite(line, word, scope)
  }),
  ...rulesFor('claude codex cursor-agent gemini opencode copilot aider amp goose', agent),
  ...rulesFor('beak', ({ line, scope, args }) => {
    const [sub, second] = readOptions(args).rest.map(({ text }) => text)
    const isPlain =
      /^(?:help|whoami|version|verify)$/.test(sub ?? '') ||
      (sub === 'peck' && /^(?:request|get|list|wait|use|cancel)$/.test(second ?? '')) ||
      (sub === 'connect' && second === 'status')
    if (!isPlain) line.ask('agent_settings', scope, { level: 'high', action: 'change:agent-settings' })
  }),
  ...rulesFor('vim vi nvim emacs nano ed ex code subl idea cursor', ({ line, scope, args }) => {
    const { input } = scope
    if (
      input.kind === 'programs' ||
      (input.kind === 'text' && /(?:^|[\n;|])\s*[:%\d,$]*(?:!|[rwe]\s*!|w\s+[~/])/.test(input.text))
    )
      line.ask('runs_inside', scope, { level: 'high' })
    if (args.some(({ text }) => /^(?:-c|-es|-S|--cmd|-s|--eval|--load|-l|-u|\+.*)$/.test(text)))
      line.ask('runs_inside', scope, { level: 'medium' })
    for (const word of args) if (!/^[-+]/.test(word.text)) checkWrite(line, word, scope)
  }),
  ...rulesFor(
    'direnv mise asdf nvm fnm volta pyenv rbenv rustup sdk goenv nodenv corepack',
    ({ line, scope, args, name }) => {
      const [sub] = args
      if (name === 'corepack' && sub?.text === 'enable') return
      if (
        /^(?:allow|install|add|global|self|default|component|target|update|upgrade|uninstall|toolchain|trust|enable|settings|plugin|plugins)$/.test(
          sub?.text ?? '',
        ) &&
        !args.some(({ text }) => /^(?:list|ls|--list)$/.test(text))
      )
        line.ask('installs', scope, {
          level: 'low',
          action: 'install:package',
          values: { packages: args.map(({ text }) => text).join(' ') },
        })
      else if (/^(?:exec|x|run)$/.test(sub?.text ?? ''))
        line.call(
          args
            .slice(1)
            .filter(
              ({ text }, index) =>
                text !== '--' && (index > 0 || (!/^\./.test(text) && !/^[\w-]+@/.test(text))),
            ),
          scope,
          { isInside: true },
        )
      else line.hasChanged = true
    },
  ),
]
