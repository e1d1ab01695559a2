/** Tools that build, test, check and format what is in the folder. They run what its files define. */

import { checkRead, checkWrite } from '../files'
import { areaOf, shownPath } from '../paths'
import type { Line } from '../shell/line'
import { readOptions } from '../shell/options'
import type { Scope } from '../shell/scope'
import { type Word, wordOf } from '../shell/words'
import { type Rule, rulesFor } from './rule'
import { actsByName } from './verbs'

const names = `
  tsc vue-tsc tsgo tsx ts-node swc esbuild vite vitest jest mocha ava jasmine karma playwright cypress eslint oxlint prettier biome stylelint
  rollup webpack webpack-cli parcel babel tsup tsdown rspack turbo nx lerna_ next nuxt astro svelte-check sveltekit remix storybook c8 nyc knip depcheck madge
  publint attw tsd cspell markdownlint markdownlint-cli2 commitlint lint-staged husky_ syncpack concurrently wait-on npm-run-all run-s run-p rimraf_
  typedoc api-extractor openapi-typescript graphql-codegen buf protoc prisma_ drizzle-kit_ tailwindcss postcss sass lightningcss svgo terser uglifyjs
  nodemon pm2_ http-server serve live-server json-server size-limit bundlesize lighthouse_ pa11y axe html-validate xo standard dprint rome
  pytest py.test mypy ruff black flake8 pylint isort pyright basedpyright coverage tox nox bandit vulture radon pydocstyle codespell pre-commit
  sphinx-build mkdocs pyflakes autopep8 yapf pyupgrade nbqa ty cython maturin
  rustc rustfmt clippy-driver cargo-nextest bindgen wasm-pack trunk mdbook
  gofmt goimports golangci-lint staticcheck gotestsum govulncheck mockgen wire air dlv ginkgo
  cmake ctest ninja meson bazel bazelisk buck buck2 gcc g++ cc c++ clang clang++ clang-format clang-tidy cppcheck ld ar ranlib strip_ as nasm
  valgrind_ gcov lcov genhtml scons autoreconf autoconf automake configure javac kotlinc scalac groovyc ktlint detekt checkstyle
  swift swiftc xcodebuild swiftlint swiftformat xcrun flutter dart ocamlfind dune opam_ ghc cabal stack hlint ormolu elm elm-test zig
  rspec rubocop minitest rake_ standardrb brakeman sorbet phpunit phpstan psalm php-cs-fixer pint pest ecs rector
  mix elixir_ iex_ rebar3 erlc dialyzer gleam crystal nim nimble luacheck busted stylua shellcheck shfmt bats hadolint actionlint
  yamllint taplo tflint tfsec checkov_ sqlfluff vale typos lychee ajv spectral redocly jsonlint xmllint plantuml dot mmdc pandoc latexmk pdflatex
  xelatex tectonic typst hugo jekyll eleventy gitleaks trufflehog_ semgrep license-checker licensee reuse ansible-lint tree-sitter
  terraform-docs checkov tfsec infracost_ aspell hunspell csvcut csvstat csvlook csvgrep csvjoin csvsort in2csv csvformat csvjson csvclean csvstack xsv
  qsv mlr visidata jupyter nbconvert papermill nbstripout convert magick mogrify montage ffmpeg sox optipng pngquant jpegoptim cwebp avifenc inkscape
  rsvg-convert gnuplot ghostscript gs qpdf wasm-opt wasm2wat wat2wasm binaryen emcc patchelf strip dsymutil size otool rcc moc uic protoc-gen-go
  grpc_tools stylish-haskell fourmolu cppcheck include-what-you-use bloaty heaptrack ccache sccache kcov cargo-fmt cargo-clippy rust-analyzer
  pyinstaller nuitka cibuildwheel pipdeptree pip-audit interrogate pytest-watch ptw locust_ sqlc oapi-codegen ent templ wails buf swag gqlgen
  tygo stringer deadcode errcheck revive gosec go-junit-report dotnet-format csharpier fantomas paket ilspycmd ktfmt google-java-format
  spotless jshell jar javap javadoc kotlin scala-cli scalafmt scalafix coursier mill bloop metals clj clojure clj-kondo cljfmt lein_ bb
  rescript bsc purs spago elm-format elm-review hlint ghcid cabal-fmt mix_format credo sobelow erl rebar gleam_ dialyxir crystal_ ameba shards
  perltidy perlcritic prove cpanm_ raku Rscript_ styler lintr julia_ gforth sbcl racket raco guile chicken octave maxima sage_ coqc agda lean lake
  idris2 verilator iverilog yosys ghdl openscad blender_ godot_ love_ platformio pio_ arduino-cli_ west idf.py_ probe-rs_ cargo-embed_ qemu-system-x86_64_
  helm-docs kubeconform kubeval kube-linter kube-score conftest opa regal polaris pluto datree kustomize jsonnet cue dhall ytt yj dasel gron fx htmlq
  pup xq tomlq jo jd vale_ write-good alex remark markdown-link-check doctoc mdformat mdl proselint textlint asciidoctor antora docusaurus
  vitepress vuepress gatsby hexo zola eleventy_ lektor nikola mkdocs_ docsify swagger-cli openapi-generator-cli openapi-generator prism
  newman hurl bruno_ step-ci schemathesis dredd pact k6_ vegeta wrk hey oha siege_ ab_ lhci unlighthouse bundlewatch source-map-explorer
  webpack-bundle-analyzer license-checker-rseidelsohn npm-check npm-check-updates ncu depcruise dependency-cruiser dpdm jscpd sloc sonar-scanner_
  plop hygen cookiecutter copier yo_ degit sapper qwik solid-start angular ng vue react-scripts craco ember gulp grunt bower_ parcel-bundler
  metro react-native_ expo-doctor detox appium maestro xcbeautify xcpretty periphery sourcery swiftgen tuist xcodegen carthage_ ktlint_
  djlint tensorboard trivy grype syft dockle emulator avdmanager jscodeshift ts-prune ts-morph ast-grep sg comby vite-node tsc-watch esno difft difftastic
  uvicorn gunicorn hypercorn sidekiq puma daphne waitress-serve flask fastapi streamlit gradio puma rackup torchrun accelerate deepspeed mlflow gunicorn3
  pycodestyle pydoclint refurb pipreqs yamlfmt sqruff squawk pgformatter pg_format sql-formatter perf flamegraph samply inferno-flamegraph
  watchman fswatch watchexec cargo-watch bacon kubectx_ stern popeye skaffold_ checkmake makeindex biber chktex lacheck doxygen breathe
  ctags etags cscope universal-ctags clangd ccls gopls rustup_ wasm-opt wasmtime wasmer spectral k6_ storyshots lint unzip_ jekyll_ bundlesize
  dramatiq rq unicorn flower
  forge hardhat anvil slither deno hyperfine k6_ artillery_ ab_ autocannon just_ xctest make_ lefthook changeset_ unittest doctest
`
const tools = new Set(
  names
    .trim()
    .split(/\s+/)
    .filter((name) => !name.endsWith('_')),
)

/** Whether a program is known to build, test or check. */
export const isDevTool = (name: string): boolean => tools.has(name) || extra.has(name)
/** Tools with rules of their own, which packages have too. */
const extra = new Set(
  '@biomejs/biome @playwright/test @redocly/cli @arethetypeswrong/cli @stoplight/spectral-cli @openapitools/openapi-generator-cli @changesets/cli @tailwindcss/cli @typescript/native-preview @angular/cli rimraf prisma drizzle-kit changeset vercel netlify wrangler firebase eas expo'.split(
    ' ',
  ),
)

/** Options of these tools that write somewhere. */
const writing =
  '-o --preset --out --output --outDir --out-dir --outFile --outfile --dist --output-file --target-dir --report-dir --output-dir -d_'

/** Options that name what a tool loads and runs. */
const loading =
  /^--?(?:config\w*|c|rootdir|root|confcutdir|plugins?\w*|require|r|import|loader|setup\w*|exec|toolexec|vettool|runner|init-script|I|rulesdir|resolve-plugins\w*|env-file|script|prefix|manifest-path|project|p)$/

/** Judges a file that a tool loads and runs: only one of the folder counts as a part of the project. */
function checkLoaded(line: Line, word: Word | undefined, scope: Scope): void {
  if (word === undefined || word.text === '') return
  if (word.text === '-') {
    if (scope.input.kind !== 'none') line.ask('runs_output', scope, { level: 'high' })
    return
  }
  const path = line.path(word, scope)
  if (path !== null && areaOf(path, line.place) !== 'folder')
    line.ask('runs_outside', scope, { values: { path: shownPath(path, line.place) } })
}

const build: Rule = ({ line, scope, args, name }) => {
  const { given, rest } = readOptions(args, writing)
  for (const [option, word] of given)
    if (
      option !== '--preset' &&
      writing.split(' ').includes(option) &&
      word.text !== '' &&
      word.text !== '-'
    ) {
      checkWrite(line, word, scope)
      // What a compiler makes of the folder is no text that the line hides.
      line.written.delete(line.path(word, scope) ?? '')
    }
  for (const word of rest) if (/^(?:~|\/|\.\.)/.test(word.text)) checkRead(line, word, scope)
  for (const [index, { text }] of args.entries()) {
    const [option = '', value] = text.split('=')
    const loaded = value === undefined ? args[index + 1] : wordOf(value)
    if (loading.test(option) && /^(?:~|\/|\.\.)/.test(loaded?.text ?? '')) checkLoaded(line, loaded, scope)
    if (/^-(?:exec|toolexec|vettool)$/.test(option)) line.ask('runs_inside', scope, { level: 'high' })
  }
  const acting = rest
    .slice(0, 2)
    .find(
      ({ text }) =>
        /^(?:deploy|publish|release|upload|push|submit|store)$/.test(text) ||
        (actsByName(text) && /^(?:turbo|nx|deno|mix|concurrently|run-[sp]|npm-run-all)$/.test(name)),
    )
  if (
    acting !== undefined &&
    !given.has('--dry-run') &&
    !/^(?:playwright|pytest|eslint|prettier|vitest|jest)$/.test(name)
  )
    return line.ask('runs_task', scope, {
      level: 'high',
      action: 'run:task',
      params: { task: acting.text },
      values: { task: `${name} ${acting.text}` },
    })
  if (
    /^(?:ts-node|tsx|deno)$/.test(name) &&
    (given.has('-e') || given.has('--eval') || rest[0]?.text === 'eval')
  )
    return line.call(
      [
        { ...(rest[0] ?? (args[0] as Word)), text: 'node' },
        ...args.map((word) => (word.text === 'eval' ? { ...word, text: '-e' } : word)),
      ],
      scope,
      { isInside: true },
    )
  const address = rest.find(({ text }) => /^(?:https?|npm|jsr|data):/.test(text))
  if (address !== undefined && /^(?:deno|tsx|ts-node|bun)$/.test(name))
    line.ask('installs_address', scope, {
      level: 'high',
      action: 'install:package',
      values: { packages: address.text },
    })
  line.build(scope)
}

/** Runs tasks that a file of the folder names. */
const make: Rule = ({ line, scope, args }) => {
  const { given, rest } = readOptions(
    args,
    '-C -f -j --directory --file --makefile -l -I -o -d --justfile --working-directory -t --taskfile',
  )
  for (const option of [
    '-C',
    '--directory',
    '-f',
    '--file',
    '--makefile',
    '-d',
    '--justfile',
    '--taskfile',
    '--working-directory',
  ])
    checkLoaded(line, given.get(option), scope)
  if ([...given.keys()].some((option) => option.startsWith('--eval')))
    line.ask('runs_inside', scope, { level: 'high' })
  const task = rest.find(
    ({ text }) =>
      !text.includes('=') && (text.includes('\0') || actsByName(text) || /^(?:un)?install$/.test(text)),
  )
  const value = rest.find(
    ({ text }) => /^(?:SHELL|MAKEFLAGS|\.SHELLFLAGS)=/.test(text) || /^\w+=.*(?:[;&|`]|\$\()/.test(text),
  )
  if (value !== undefined) line.ask('runs_inside', scope, { level: 'high' })
  if (given.has('-n') || given.has('--dry-run')) return
  if (task !== undefined)
    return line.ask('runs_task', scope, {
      level: 'high',
      action: 'run:task',
      params: { task: task.text },
      values: { task: task.text },
    })
  line.build(scope)
}

/** Debuggers start programs of the folder, and can start others. */
const debug: Rule = ({ line, scope, args }) => {
  if (
    args.some(({ text }) =>
      /^(?:shell|!|pipe|python|platform shell|script)\b|\bsystem\s*\(/.test(text.trim()),
    ) ||
    args.some(({ text }) => /^(?:-x|-s|--source|-p|--pid|--attach-pid)$/.test(text))
  )
    line.ask('runs_inside', scope)
  line.build(scope)
}

export const builders: [string, Rule][] = [
  ...rulesFor('gdb lldb rr dlv-dap', debug),
  ...rulesFor([...tools].join(' '), build),
  ...rulesFor('make gmake just task mage rake invoke earthly', make),
  ...rulesFor('rimraf del-cli', ({ line, scope, args }) =>
    line.call([{ ...(args[0] as Word), text: 'rm' }, { ...(args[0] as Word), text: '-rf' }, ...args], scope),
  ),
]
