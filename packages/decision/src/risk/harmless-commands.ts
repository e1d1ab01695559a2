/** Commands of shells and queries of databases that are known to only read, test or build. The lists say which options they may not have. */
import { looksLikeCommand } from './commands'
import type { Field } from './content'
import { folded } from './words'

const word = String.raw`(?: [\w./:@=,+%^~*#()-]+)*`
const value = String.raw`[\w./:@=,+-]+`
const programs = [
  `git(?: --no-pager| -c [\\w./~-]+)* (?:status|log|diff|show|blame|describe|rev-parse|ls-files|shortlog|rev-list|merge-base|cherry|count-objects|grep|ls-tree|cat-file|name-rev|whatchanged|check-ignore|show-ref|for-each-ref)${word}`,
  `git (?:branch(?: (?:-a|-r|-v|-vv|--all|--list|--remotes|--merged|--show-current|--no-merged|--sort=[\\w-]+))*|remote(?: -v| show ${value})?|stash (?:list|show)|tag(?: -l| --list| -n)*|worktree list|fetch(?: (?:origin|upstream|--prune|--all|--tags|-p))*|reflog|submodule status|config (?:--get|--list|-l)(?: (?:user\\.name|user\\.email|remote\\.origin\\.url|core\\.autocrlf))?|--version)`,
  `(?:ls|pwd|whoami|date|du|df|wc|tree|which|echo|uname|uptime|cd|head|tail|cat|grep|egrep|rg|ag|sort|uniq|cut|tr|nl|stat|file|basename|dirname|sleep|true|less|column|jq|yq|diff|cmp|hostname|free|nproc|arch|type|realpath|readlink|md5sum|sha256sum|sha1sum|cksum|test|printf|seq|expr|id|groups|ps|lsb_release|sw_vers|lscpu|locale)${word}`,
  `[\\w./-]+ (?:--version|-v|version|--help)`,
  `(?:npm|pnpm|yarn|bun)(?: --silent| -s| -r| -w| --filter[= ]${value}| --workspace[= ]${value}| --recursive| workspace ${value})* (?:test|t|outdated|ls|list|audit|why|view|info|explain|(?:run )?(?:test|tests|lint|build|typecheck|type-check|types|tsc|check|format|fmt|coverage|storybook|bench|unit|e2e|validate|analyze|compile|knip|spellcheck|i18n)(?:[:_-][\\w-]+)*)${word}`,
  `(?:npx|pnpm exec|pnpm|yarn|bunx|npm exec|pnpm dlx)(?: --no-install| --no| -s)? (?:vitest|jest|eslint|tsc|prettier|biome|playwright test|mocha|ava|stylelint|vue-tsc|knip|depcheck|cypress run|oxlint|next (?:build|lint)|vite build|svelte-check|madge|publint|attw|tsd|c8|nyc|cspell|markdownlint|commitlint|expo-doctor|turbo (?:run )?(?:build|lint|test|typecheck)|nx (?:test|lint|build|graph))${word}`,
  `(?:(?:python3?|uv run|poetry run|pipenv run|hatch run)(?: -m)? )?(?:pytest|unittest|mypy|ruff(?: check| format --check)?|black|flake8|pylint|isort|pyright|coverage|tox|nox|bandit|pip list|pip show|pip check|pip freeze|vulture|radon|pydocstyle|codespell|doctest)${word}`,
  `(?:vitest|jest|eslint|tsc|prettier|biome|mocha|stylelint|phpunit|phpstan|psalm|rspec|rubocop|golangci-lint|staticcheck|shellcheck|hadolint|tflint|yamllint|markdownlint|actionlint|swiftlint|ktlint|detekt|checkstyle|sqlfluff lint|vale|codespell|typos|next (?:build|lint)|vite build|cloc|tokei|scc|clang-tidy|clang-format|cppcheck|buf lint|spectral lint|lychee|hyperfine|ctest|bats)${word}`,
  `bundle (?:exec (?:rspec|rubocop|rake test)|outdated|list|check|info)${word}`,
  `cargo(?: \\+(?:stable|beta|nightly))? (?:test|t|check|c|clippy|build|b|fmt|tree|doc|bench|nextest run|metadata|audit|outdated|deny check|machete|llvm-cov|miri test|hack check|geiger|udeps)${word}`,
  `sqlx (?:migrate info|prepare --check)${word}`,
  `go (?:test|vet|build|fmt|list|version|doc|env goos|mod (?:graph|why|verify|tidy -diff))${word}`,
  'gofmt -[ld](?: [\\w./-]+)*',
  `(?:make|just|task|mage)(?: -j\\d*| -s| -c [\\w./-]+)* (?:test|tests|check|lint|build|all|typecheck|format|fmt|coverage|unit|e2e|docs|bench|vet|compile|help)(?:[:_-][\\w-]+)*`,
  `cmake --build${word}|ninja(?: -c [\\w./-]+)?(?: test)?`,
  `(?:\\./)?(?:mvnw?|gradlew?)(?: -q| --quiet| -b| --offline| --no-daemon| -pl ${value})* (?::?[\\w:-]*)?(?:test|check|build|verify|compile|package|dependencies|assemble|compilejava|lint|ktlintcheck|spotlesscheck|javadoc)${word}`,
  `dotnet (?:test|build|list package|format --verify-no-changes|--info)${word}`,
  `(?:swift|flutter|dart|deno|mix|zig|stack|cabal|sbt|lein|gleam|dune|elm|rebar3|bazel|forge|hardhat) (?:test|build|analyze|lint|check|fmt --check|format --check|compile|query|outdated|doctor|--version)${word}`,
  `(?:rails|rake|composer|bin/rails|php artisan|python3? manage\\.py) (?:test|routes|stats|validate|outdated|show|check|showmigrations|about|route:list|migrate --plan|makemigrations --check)${word}`,
  `xcodebuild (?:-list|-showsdks|test|build)${word}|xcrun simctl list${word}|pod outdated|adb (?:devices|logcat -d)${word}`,
  `kubectl(?: -n [\\w-]+| --namespace[= ][\\w-]+| --context[= ][\\w-]+)* (?:(?:get|describe)(?! secrets?\\b| configmaps?\\b| sa\\b| all\\b.*-o)|logs|top|explain|version|cluster-info|rollout (?:status|history)|api-resources|diff)${word}`,
  `docker (?:ps|images|logs|stats|version|info|top|port|volume ls|network ls|system df|compose(?: -f ${value})* (?:ps|logs|ls|config --quiet|images))${word}`,
  `(?:terraform|tofu)(?: -chdir=[\\w./-]+)? (?:validate|fmt -check|version|providers|graph)${word}`,
  `helm (?:list|status|history|lint|template|search)${word}`,
  `gh (?:pr|issue|run|release|workflow|repo) (?:list|view|status|checks|diff)${word}`,
  `glab (?:mr|issue|ci) (?:list|view|status|diff)${word}`,
  `(?:brew|pip3?|gem|apt|pnpm|conda|uv pip|apt-cache|dpkg) (?:list|outdated|info|show|freeze|check|search|policy|tree|-l)${word}`,
  'curl(?: -(?:s|S|sS|i|I|f|v|sf|fs|fsS|sSf|w|m \\d+))* https?://(?:localhost|127\\.0\\.0\\.1)(?::\\d+)?(?:/[\\w./-]*)?(?:\\?[\\w=&.-]*)?',
  `find [\\w./-]+(?: (?:-not|!|-o|-print|-empty|-(?:name|iname|type|size|mtime|mmin|maxdepth|mindepth|newer|path|ipath) [\\w.*/+-]+))*`,
  `node --(?:test|check)(?: [\\w./-]+)*`,
  `sed -n [\\d,p$]+ [\\w./-]+`,
  `awk [\\w./{}$, -]+`,
  `lsof -i(?: ?:\\d+)?|ss -[tlnp]+|netstat -[tlnp]+|nvidia-smi|pgrep [\\w-]+|env-cmd --version|openssl version`,
].map((pattern) => new RegExp(`^(?:${pattern})$`))

/** Options with which these tools write, load or run something else, and places outside of the project. */
const other =
  /(?:^| )(?:--?(?:config\w*|exec\S*|toolexec|vettool|rulesdir|resolve-plugins\S*|plugin\S*|require|import|loader|eval|output\S*|pre|pre-glob|ext-diff|textconv|open-files\S*|upload\S*|rcfile|init-script|global\w*|setup\S*|rootdir|confcutdir|reporter|runner|post|fix\S*|write\S*|write-out|kubeconfig|server|token|registry|userconfig|script-shell|manifest-path|target-dir|env-file|files0-from|compress-program|inspect\S*|cwd|prefix|directory|watch-exec|override\w*|set|show-origin|raw|decrypt|watch|update-snapshot|allow-\S+|force\S*|no-verify|f|u|i|e|ok|okdir|fprint\S*|delete|post-renderer|show-only|publish|push|update|unsafe\S*|reset\S*)(?:[= ]|$)|-(?:o|c|d|j|t)(?:[= ]|$)(?! ))|(?:^|[ =:])(?:~|\/(?!dev\/null|users\/[\w-]+\/(?:code|src|projects?|dev|work)\/|home\/[\w-]+\/(?:code|src|projects?|dev|work)\/|\/(?:localhost|127)))|\.\.|(?:^|[ /])\.(?!github\/|storybook|nvmrc|eslintrc|prettierrc|editorconfig|gitignore|\/|$| |node-version|tool-versions|python-version)[a-z]|secret|passw|token|credential|private|\.pem|\.key\b|id_rsa|id_ed|environ|history|cookie|keychain|keystore|wallet|dotenv|authorization|bearer/
/** Short options that are harmless with these programs. */
const plainOptions =
  /^(?:git (?:log|diff|show|grep|branch|fetch|stash|reflog|rev-list)\b|wc\b|head\b|tail\b|uniq\b|e?grep\b|rg\b|sort\b|cut\b|tr\b|ls\b|du\b|df\b|cargo\b|docker\b|kubectl\b|helm\b|find\b|tree\b|pnpm\b|npm\b|(?:python3? -m )?(?:pytest|mypy|ruff)\b|python3? -m\b|ps\b|ss\b|column\b|date\b|jq\b|cat\b|stat\b|echo\b|go test\b|curl -\w+ http)/
const shortOption = / -(?:o|c|d|t|u|i|e|f|j)(?= |$|=)/g
/** With these a short option writes a file or runs something. */
const writingOption =
  /^(?:sort\b.* -o|tree\b.* -o|cargo\b.* --config|curl\b.* -[od]|date\b.* -s|git (?:grep|log|diff|show)\b.*(?: -o|--open)|find\b.* -(?:o?exec|ok))/

/** Whether a command of a shell is known to only read, test or build. */
function isHarmlessCommand(text: string): boolean {
  const plain = folded(text)
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/(?<= )(?:2>&1|[12]?> ?\/dev\/null)(?= |$)/g, ' ')
    .replace(
      /(?<=^| |=)(["'])([^"'`$\\;&]*|[\w\s\\().*|?+[\]^:=,/-]*)\1(?= |$)/g,
      (_, quote: string, inner: string) =>
        quote === '"' && /[$`]/.test(inner) ? '\u0000' : inner.replace(/[^\w./:=,*-]/g, '_') || '_',
    )
  const [, , query = ''] =
    /^psql(?: -d)?(?: [\w.-]+)* -c (['"])(.*)\1$/.exec(folded(text).replace(/\s+/g, ' ').trim()) ?? []
  if (query !== '') return isHarmlessQuery(query)
  if (
    plain === '' ||
    /[^\w ./:@=,+%^~*&|;?#(){}$!-]|(?<!&)&(?!&)|\$[({\w]|\{[^}]*$/.test(plain.replace(/\{[\w.,]+\}/g, '_'))
  )
    return false
  return plain.split(/ ?(?:&&|\|\||;|\|) ?/).every((piece) => isHarmlessPiece(piece.trim()))
}

function isHarmlessPiece(piece: string): boolean {
  const one = piece
    .replace(/\{[\w.,]+\}/g, '_')
    .replace(/ -- /g, ' ')
    .replace(/\.\/\.\.\.(?= |$)/g, './_')
    // Endings of files, and fields of a JSON text.
    .replace(/(?<=--ext[ =])\.[a-z]+(?:,\.[a-z]+)*/g, '_')
    .replace(/(?<=^jq(?: -\w+)* )\.[\w.[\]]*/g, '_')
  if (!programs.some((pattern) => pattern.test(one))) return false
  if (!other.test(one)) return true
  return plainOptions.test(one) && !writingOption.test(one) && !other.test(one.replace(shortOption, ' '))
}

/** Whether a query of a database only reads, and reads no secrets. */
export function isHarmlessQuery(text: string): boolean {
  const plain = folded(text).replace(/\s+/g, ' ').trim().replace(/;$/, '')
  if (!/^(?:select|explain|show|describe) /.test(plain) || /[;\\`]|--|\/\*/.test(plain)) return false
  return !/\b(?:insert|update|delete|drop|alter|create|grant|revoke|copy|into|truncate|call|do|lock|vacuum|merge|replace|load|outfile|dumpfile|program|set|exec\w*|pg_\w+|lo_\w+|dblink\w*|load_file|sleep|benchmark|xp_\w+|nextval|setval|\w*passw\w*|\w*hash\w*|\w*token\w*|\w*secret\w*|\w*api_?key\w*|\w*salt|ssn|iban|cvv|e?mail\w*|phone\w*|salar\w*|mysql|information_schema\.user_privileges|shadow|\w*authentic\w*)\b|\bfrom (?:mysql\.)?user\b/.test(
    plain,
  )
}

/** What may stand beside a command. */
const besides =
  /^(?:cwd|dir|directory|timeout\w*|description|workdir|working_directory|background|capture|timeout_ms|args|argv|command|cmd|script|commands|shell|tool|threads|target|profile|locked|features|package|filter|headed|verbose|quiet|name|suite|runner|coverage|watch|env|label|reason|explanation|timeout_sec|max_output|stdout|id)$/
const commandName = /^(?:args?_)?(?:commands?|cmd|shell|bash|script|command_line|argv)$/
const environment =
  /^(?:node_env|ci|rust_log|rust_backtrace|force_color|no_color|next_telemetry_disabled|tz|lang|lc_all|term|debug|pythonunbuffered|pythondontwritebytecode|go_flags_x|cgo_enabled|goos|goarch|do_not_track|cargo_term_color|npm_config_loglevel|turbo_telemetry_disabled|env_env)$/
const environmentValue = /^[\w:.,/ -]{0,40}$/

const isText = (given: unknown): given is string => typeof given === 'string'

/** Whether the params run commands that only read, test or build, and nothing beside them changes what these do. */
export function runsHarmlessCommands(fields: readonly Field[]): boolean {
  const lists = new Map<string, string[]>()
  let commands = 0
  for (const { name, path, value: given } of fields) {
    if (/(?:^|\.)env(?:ironment)?$/.test(path)) {
      if (!environment.test(name) || !environmentValue.test(String(given))) return false
    } else if (!besides.test(name)) return false
    else if (commandName.test(name) && isText(given)) {
      if (/^(?:argv|commands?|cmd|args)$/.test(name) && path.endsWith(name))
        lists.set(path, [...(lists.get(path) ?? []), given])
      else if (!isHarmlessCommand(given)) return false
      else commands += 1
    } else if (isText(given) && /[`$;|&<>]|\bsudo\b/.test(given)) return false
    else if (
      /cwd|dir|directory/.test(name) &&
      isText(given) &&
      /(?:^|\/)\.(?!\/|$|\.)|\.\.\/\.\.|^\/(?:etc|root|var|proc|sys)/.test(given)
    )
      return false
  }
  for (const words of lists.values()) {
    if (words.some((part) => /[\s"'`$;|&<>]/.test(part)) || !isHarmlessCommand(words.join(' '))) return false
    commands += 1
  }
  return commands > 0
}

/** A value that only names a tool: `manager: "npm"`, and the programme of a machine. */
const isToolName = (given: string) =>
  /^[a-z][\w. -]*$/i.test(given) && !/ (?:run|exec|install|publish|push)\b/.test(given)

/** Whether a field that looks like a command names a tool, or is a query that only reads. */
export function isNoCommand({ name, value: given }: Field): boolean {
  if (!isText(given) || !looksLikeCommand(name, given)) return true
  return isToolName(given) || isHarmlessQuery(given)
}
