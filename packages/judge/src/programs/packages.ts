/** Package managers: installing what the lock file has, adding packages, running scripts, publishing. */

import { absolute } from '../paths'
import { readOptions } from '../shell/options'
import { isKnown, wordOf } from '../shell/words'
import { isDevTool } from './builders'
import { askInstall, askPublish, publishing, runPackage, runTask } from './installing'
import { type Rule, rulesFor } from './rule'
import { actsByName } from './verbs'
import { afterOptions } from './wrappers'

const running =
  /^(?:run|run-script|rum|urn|exec|x|dlx|test|t|tst|start|stop|restart|build|lint|dev|check|typecheck|format|fmt|bench|create|init|innit|it|install-test)$/
const installing =
  /^(?:i|in|ins|inst|insta|instal|install|isntall|add|a|get|require|update|up|upgrade|u|link|ln|ci|clean-install|ic|import|sync|audit|dedupe|ddp|global)$/
const readingSubs =
  /^(?:ls|ll|la|list|outdated|view|v|show|info|why|explain|find-dupes|fund|search|s|se|find|ping|prefix|root|bin|doctor|help|pack|version|docs|home|repo|bugs|issues|diff|query|sbom|completion|licenses|audit|check|tree|freeze|metadata|config|c|cache|store|env|set|workspace|workspaces|workspaces-info|node|policies|constraints|debug|fetch|vendor|locate-project|verify-project|pkgid|generate-lockfile|uninstall|un|unlink|remove|rm|r|rebuild|rb|prune|patch|patch-commit|lock|export|deduplicate|shrinkwrap|pkg|get|approve-builds|ignored-builds|self|shell|use|venv|python|format|new|init|clean|dist)$/

const node: Rule = ({ line, scope: outer, args, name }) => {
  if (name === 'bun' && /^(?:-e|--eval|-p|--print)$/.test(args[0]?.text ?? ''))
    return line.call([wordOf('node'), ...args], outer, { isInside: true })
  const { given, has } = readOptions(args, '--prefix -C --dir --cwd --registry')
  const folder = ['--prefix', '-C', '--dir', '--cwd']
    .map((option) => given.get(option))
    .find((word) => word !== undefined)
  const scope =
    folder === undefined || folder.text === '' ? outer : { ...outer, cwd: line.path(folder, outer) }
  const words = afterOptions(
    args,
    '--prefix --workspace -w --filter -F -C --dir --cwd --registry --userconfig --loglevel --silent_',
  )
  const [sub, ...rest] = words
  const others = readOptions(rest, '--prefix --workspace -w --filter --registry --tag --otp').rest
  const registry = given.get('--registry')?.text ?? (name === 'npm' ? 'registry.npmjs.org' : name)
  if (
    given.has('--registry') ||
    args.some(({ text }) => /^--(?:userconfig|globalconfig|script-shell|node-options)/.test(text))
  )
    line.ask('installs_address', scope, {
      level: 'high',
      action: 'install:package',
      values: { packages: 'another registry' },
    })
  const isGlobal = has('-g', '--global', '--location=global') || sub?.text === 'global'
  if (sub === undefined) return has('--version', '-v', '--help', '-h') ? undefined : line.build(scope)
  if (!isKnown(sub)) return line.ask('dynamic_command', scope, { level: 'high' })
  const { text } = sub
  if (/^(?:npm|yarn)$/.test(name) && text === 'npm')
    return askPublish(line, scope, registry, others[0]?.text ?? '')
  if (publishing.test(text) && !/^tags?$/.test(text)) {
    if (text === 'publish' && has('--dry-run')) return line.build(scope)
    return /^(?:deploy)$/.test(text) && name === 'pnpm'
      ? runTask(line, scope, sub)
      : askPublish(line, scope, registry, text, others[0]?.text)
  }
  const script = readOptions(rest, '-c --call').given.get('-c') ?? given.get('--call')
  if (/^(?:exec|x)$/.test(text) && script !== undefined) return line.runInside(script.text, scope)
  if (/^(?:exec|x|dlx)$/.test(text)) return runPackage(line, scope, afterOptions(rest, '-p --package -c'))
  if (/^(?:create|init|innit)$/.test(text))
    return others.length > 0 ? askInstall(line, scope, others, false) : undefined
  if (/^(?:run|run-script|rum|urn)$/.test(text))
    return others.length === 0 ? undefined : runTask(line, scope, others[0])
  if (/^(?:ci|clean-install|ic|install-clean)$/.test(text)) return line.build(scope)
  if (/^(?:update|up|upgrade|u)$/.test(text))
    return askInstall(line, scope, others.length > 0 ? others : [sub], isGlobal)
  if (text === 'audit' || text === 'link' || text === 'ln') {
    if (text !== 'audit' || others[0]?.text === 'fix') askInstall(line, scope, [sub], false)
    return
  }
  if (installing.test(text))
    return others.length > 0
      ? askInstall(line, scope, others, isGlobal)
      : isGlobal
        ? askInstall(line, scope, [sub], true)
        : line.build(scope)
  if (/^(?:uninstall|un|unlink|remove|rm|r)$/.test(text) && isGlobal)
    return askInstall(line, scope, others, true)
  if (/^(?:config|c|set|pkg)$/.test(text) && /^(?:set|delete|edit|fix)$/.test(others[0]?.text ?? ''))
    return text === 'pkg'
      ? void line.written.set(absolute('package.json', scope.cwd ?? line.place.folder, line.place.home), null)
      : line.ask('changes_system', scope, { level: 'medium' })
  if (
    /^(?:config|c)$/.test(text) &&
    /^(?:get|list|ls)$/.test(others[0]?.text ?? '') &&
    /auth|token|password/i.test(others[1]?.text ?? '')
  )
    return line.ask('secret_variable', scope, {
      level: 'high',
      action: 'read:secrets',
      values: { name: others[1]?.text ?? '' },
    })
  if (running.test(text) || (name !== 'npm' && !readingSubs.test(text)))
    return isDevTool(text) ? line.call([sub, ...rest], scope, { isInside: true }) : runTask(line, scope, sub)
  if (readingSubs.test(text)) return
  line.ask('unknown_command', scope, { values: { command: `${name} ${text}` } })
}

/** Package managers of languages, whose subcommands are like each other. */
const language =
  (registry: string, names: { build: RegExp; add: RegExp; global?: RegExp; task?: RegExp }): Rule =>
  ({ line, scope, args, name }) => {
    const words = afterOptions(
      args.filter(({ text }) => !/^\+(?:stable|beta|nightly|[\d.]+)$/.test(text)),
      '-C --manifest-path --config -Z -D -f -p -pl --project-dir --directory -P --working-dir -d --file --settings -s',
    )
    const [sub, ...rest] = words
    const others = readOptions(
      rest,
      '--features -p --package --bin --example --test --target --manifest-path -F --profile --message-format -j --version --git --path --target-dir -o -c --configuration',
    ).rest
    if (args.some(({ text }) => /^--config(?:=|$)/.test(text)) && name === 'cargo')
      line.ask('runs_inside', scope)
    if (args.some(({ text }) => /^--?(?:exec|toolexec|vettool)(?:=|$)/.test(text)))
      line.ask('runs_inside', scope, { level: 'high' })
    if (sub === undefined)
      return args.some(({ text }) => /^(?:--version|-V|-v|--help|-h)$/.test(text))
        ? undefined
        : line.build(scope)
    if (!isKnown(sub)) return line.ask('dynamic_command', scope, { level: 'high' })
    const all = [sub, ...others]
    const acting = all.find(
      ({ text }) => (publishing.test(text) && !(name === 'dotnet' && text === 'publish')) || actsByName(text),
    )
    if (acting !== undefined && (names.task !== undefined || acting === sub)) {
      if (args.some(({ text }) => text === '--dry-run' || text === '-n')) return line.build(scope)
      return names.task === undefined
        ? askPublish(line, scope, registry, sub.text)
        : runTask(line, scope, acting)
    }
    const git = rest.find(({ text }) => /^--(?:git|index|registry)(?:=|$)/.test(text))
    if (git !== undefined) return askInstall(line, scope, [rest[rest.indexOf(git) + 1] ?? git], true)
    if (names.global?.test(sub.text) === true)
      return others.length > 0 ? askInstall(line, scope, others, true) : line.build(scope)
    if (name === 'dotnet' && sub.text === 'nuget' && /^(?:push|delete)$/.test(others[0]?.text ?? ''))
      return askPublish(line, scope, registry, others[0]?.text ?? '')
    if (names.add.test(sub.text))
      return others.length > 0 ? askInstall(line, scope, others, false) : line.build(scope)
    const away = others.find(({ text }) => /:\/\/|^[\w-]+\.[\w.-]+\/.*@|@(?:latest|v\d)/.test(text))
    if (away !== undefined && /^(?:run|install|tool)$/.test(sub.text))
      return askInstall(line, scope, [away], true)
    if (names.build.test(sub.text)) return line.build(scope)
    line.ask('unknown_command', scope, { values: { command: `${name} ${sub.text}` } })
  }

const cargoBuild =
  /^(?:build|b|test|t|check|c|clippy|fmt|run|r|doc|d|bench|nextest|tree|metadata|audit|outdated|deny|machete|llvm-cov|miri|hack|udeps|fix|clean|update|fetch|vendor|generate-lockfile|expand|watch|tarpaulin|insta|sqlx|search|info|package|new|init|locate-project|add|pkgid|version|help|rustc|report|remove|rm|semver-checks|about|geiger|xtask|make|leptos|tauri|component|zigbuild|ndk|criterion|flamegraph|asm|bloat|modules|msrv|sort|spellcheck|public-api)$/

export const packages: [string, Rule][] = [
  ...rulesFor('npm pnpm yarn bun', node),
  ...rulesFor('npx bunx pnpx', ({ line, scope, args }) => {
    const call =
      readOptions(args, '-c --call').given.get('-c') ?? readOptions(args, '-c --call').given.get('--call')
    if (call !== undefined) return line.runInside(call.text, scope)
    runPackage(line, scope, afterOptions(args, '-p --package'))
  }),
  ...rulesFor(
    'cargo',
    language('crates.io', { build: cargoBuild, add: /^_$/, global: /^(?:install|binstall)$/ }),
  ),
  ...rulesFor(
    'go',
    language('proxy.golang.org', {
      build:
        /^(?:build|test|vet|fmt|list|version|doc|env|mod|run|generate|clean|work|tool|fix|bug|help|telemetry|get)$/,
      add: /^_$/,
      global: /^install$/,
    }),
  ),
  ...rulesFor(
    'gem',
    language('rubygems.org', {
      build:
        /^(?:list|search|info|build|environment|env|outdated|which|contents|dependency|specification|help|check)$/,
      add: /^(?:install|update)$/,
    }),
  ),
  ...rulesFor('bundle', ({ line, scope, args }) => {
    const [sub, ...rest] = afterOptions(args)
    if (sub?.text === 'exec') return line.call(rest, scope, { isInside: true })
    if (/^(?:add|update)$/.test(sub?.text ?? '')) return askInstall(line, scope, rest, false)
    if (/^(?:release|push)$/.test(sub?.text ?? ''))
      return askPublish(line, scope, 'rubygems.org', sub?.text ?? '')
    line.build(scope)
  }),
  ...rulesFor(
    'composer',
    language('packagist.org', {
      build:
        /^(?:install|i|test|show|validate|outdated|check|dump-autoload|dumpautoload|run|run-script|why|depends|diagnose|licenses|audit|about|status|normalize|phpstan|lint|cs|stan|remove|bump|reinstall)$/,
      add: /^(?:require|update|u|upgrade|global|create-project)$/,
      task: /./,
    }),
  ),
  ...rulesFor(
    'mvn mvnw gradle gradlew sbt lein ant',
    language('the repository', { build: /./, add: /^$/, task: /./ }),
  ),
  ...rulesFor(
    'dotnet',
    language('nuget.org', {
      build:
        /^(?:build|test|run|restore|list|format|clean|new|sln|--info|watch|pack|ef|msbuild|vstest|workload|help|reference|publish)$/,
      add: /^(?:add|tool)$/,
    }),
  ),
  ...rulesFor(
    'brew apt apt-get dnf yum pacman apk zypper port snap flatpak choco winget scoop nix-env dpkg rpm mas',
    ({ line, scope, args, name }) => {
      const words = afterOptions(args).map(({ text }) => text)
      if (
        /^(?:list|ls|info|search|outdated|show|policy|cache|--version|deps|uses|config|doctor|desc|leaves|home|log|cat|-l|-Q\w*|-L|-s|-q\w*|services)?$/.test(
          words[0] ?? '',
        ) &&
        !/^(?:start|stop|restart|run)$/.test(words[1] ?? '')
      ) {
        if (!args.some(({ text }) => /^-(?:i|-install|[rRPUS]\w*|-remove|-purge|e|F)$/.test(text))) return
      }
      line.ask('changes_system', scope, {
        level: 'high',
        action: 'install:package',
        params: { packages: words.slice(1) },
        values: { packages: `${name} ${words.join(' ')}` },
      })
    },
  ),
]
