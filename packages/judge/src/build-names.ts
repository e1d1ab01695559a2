/** Which files define builds and tests. */

/** Names of files that define what a build or a test runs, in the root of a repository and in folders just below it. */
export const buildNames =
  /^(?:package\.json|\.?npmrc|\.yarnrc(?:\.yml)?|\.pnpmfile\.cjs|(?:gnu)?makefile|.*\.mk|justfile|taskfile\.ya?ml|rakefile|gemfile|build\.(?:rs|zig|sbt|xml|mjs|js|ts)|cargo\.toml|conftest\.py|setup\.(?:py|cfg)|pyproject\.toml|tox\.ini|noxfile\.py|pytest\.ini|requirements[\w.-]*\.txt|pom\.xml|(?:build|settings)\.gradle(?:\.kts)?|gradlew|mvnw|cmakelists\.txt|meson\.build|composer\.json|dockerfile|\.pre-commit-config\.yaml|lefthook\.ya?ml|(?:vite|vitest|jest|webpack|rollup|babel|next|playwright|eslint|tailwind|postcss|esbuild|tsup|turbo|nx)\.(?:config\.)?(?:[cm]?[jt]s|json))$/i

/** Whether a file, by its path, decides what a build, a test or git runs. */
export const definesBuild = (path: string): boolean =>
  buildNames.test(path.split('/').at(-1) ?? '') ||
  /\/\.github\/workflows\/|\/\.husky\/|\/\.git\/hooks\//.test(path)
