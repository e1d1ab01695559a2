import { movedPages } from './app/_shell/moved-pages.mjs'
import { basePathOf, pagesFolder } from './lib/kernel/config/base-url.mjs'

// Next writes the path into the pages when it builds them.
const basePath = basePathOf(process.env)
const isDevelopment = process.env.NODE_ENV === 'development'
const folder = isDevelopment ? '.next' : pagesFolder(basePath)

/** @type {import('next').NextConfig} */
const config = {
  basePath,
  // Only the table calls the handlers of the API (`app/beak/**/route.ts`). No server asks Next for them, and building each of them again
  // took half of the time. So a build takes only modules that end in `.tsx`.
  pageExtensions: isDevelopment ? ['tsx', 'ts'] : ['tsx'],
  distDir: folder,
  // For components/base-path.ts, in the browser too, and for lib/kernel/service/approver-page.ts. The build has the digest, development has none.
  env: { BEAK_BASE_PATH: basePath, BEAK_APPROVER_PAGE: process.env.BEAK_APPROVER_PAGE ?? '' },
  poweredByHeader: false,
  experimental: {
    // Next would load the bundles of all route handlers when it starts. Our server answers their requests without Next, so they
    // would only take 100 MiB of memory.
    preloadEntriesOnStart: false,
    // Development would load all icons of the package.
    optimizePackageImports: ['lucide'],
    // For app/global-not-found.tsx.
    globalNotFound: true,
    // Node reads the maps of the pages only with an option. They would be most of the build.
    turbopackSourceMaps: false,
    // A first build would write 260 MB for the next one.
    turbopackFileSystemCacheForBuild: false,
  },
  // Title and icon are in the head of every page from the start. Next would send them later to most browsers, as a part of the body.
  htmlLimitedBots: /.*/,
  reactStrictMode: true,
  // Next would redirect /beak/. The contract requires the same answer with and without the slash.
  skipTrailingSlashRedirect: true,
  serverExternalPackages: [
    '@electric-sql/pglite',
    '@modelcontextprotocol/server',
    'pg',
    '@prisma/client',
    '@prisma/adapter-pg',
    '@prisma/driver-adapter-utils',
    'pino',
    'ioredis',
    'nodemailer',
    '@node-rs/argon2',
    'request-filtering-agent',
    '@simplewebauthn/server',
    '@zxcvbn-ts/language-common',
    'libphonenumber-js',
  ],
  outputFileTracingIncludes: {
    '/**': [
      './prisma/**',
      // The pages below /docs, and the documents that are pages too.
      './docs/**/*.md',
      './CHANGELOG.md',
    ],
  },
  turbopack: {
    rules: {
      '*.{ts,tsx}': {
        condition: { all: ['production', { content: /from '@\/lib\/kernel\/messages'/ }] },
        loaders: ['./scripts/messages/split-loader.cjs'],
      },
    },
  },
  // `npm test` checks the types. Next adds its folder to the file in `tsconfigPath`. For a build with a path,
  // `scripts/prepare.mjs` writes a separate file.
  typescript: {
    ignoreBuildErrors: true,
    tsconfigPath: folder === '.next' ? 'tsconfig.json' : `${folder}.tsconfig.json`,
  },
  // Without our own server (`next start`, serverless hosts), these rewrites send all requests to the API to the same route table.
  rewrites: async () => ({
    beforeFiles: [
      '/beak',
      '/beak/:path*',
      '/.well-known/jwks.json',
      '/.well-known/oauth-protected-resource',
      '/.well-known/oauth-protected-resource/:path+',
      '/.well-known/status-list/:n',
      '/.well-known/tlog/checkpoint',
      '/.well-known/tlog/vkeys',
      '/.well-known/tlog/witnesses',
      '/.well-known/tlog/tile/:path+',
      '/healthz',
      '/readyz',
      '/.well-known/:path((?!security\\.txt$).+)',
      '/mcp/:path+',
    ]
      .map((source) => ({ source, destination: `/beak/-${source.replace(/\(.*/, '')}` }))
      .concat(
        ['/register', '/token'].map((source) => ({
          source,
          // Only requests with a body, as programs send them: for people these are unknown pages.
          has: [{ type: 'header', key: 'content-type' }],
          destination: `/beak/-${source}`,
        })),
      ),
    // The public pages of people: Next reserves folders that begin with "@".
    afterFiles: [
      { source: '/@:handle', destination: '/people/:handle' },
      // The Markdown versions of the pages below /docs.
      { source: '/docs.md', destination: '/api/docs' },
      { source: '/docs/:path(.+)\\.md', destination: '/api/docs/:path' },
    ],
    fallback: [],
  }),
  redirects: async () =>
    movedPages.map(({ from: source, to: destination }) => ({ source, destination, permanent: true })),
  // Headers of the pages. Their Content Security Policy is in proxy.tsx. The API sets its own headers.
  headers: async () => [
    {
      source:
        '/((?!(?:beak|mcp|healthz|readyz)(?:/|$)|\\.well-known/(?:jwks\\.json|oauth-protected-resource(?:/.+)?|status-list/[^/]+|tlog/(?:checkpoint|vkeys|tile/.+))/?$).*)',
      headers: [
        { key: 'X-Content-Type-Options', value: 'nosniff' },
        // Other sites get no referrer. With `no-referrer`, our own forms would also lack the `Origin` header (Fetch, "append a
        // request Origin header"), and a form sent without JavaScript would be refused as cross-origin.
        { key: 'Referrer-Policy', value: 'same-origin' },
        { key: 'X-Frame-Options', value: 'DENY' },
        { key: 'Cross-Origin-Opener-Policy', value: 'same-origin' },
      ],
    },
  ],
}

export default config
