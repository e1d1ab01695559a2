import { basePathOf, pagesFolder } from './lib/kernel/base-url.mjs'

// Next writes the path into the pages when it builds them.
const basePath = basePathOf(process.env)
const isDevelopment = process.env.NODE_ENV === 'development'
const folder = isDevelopment ? '.next' : pagesFolder(basePath)

/** @type {import('next').NextConfig} */
const config = {
  basePath,
  distDir: folder,
  // For app/_web/base-path.ts, in the browser too.
  env: { BEAK_BASE_PATH: basePath },
  poweredByHeader: false,
  reactStrictMode: true,
  // Next would answer /beak/ with a redirect; the contract wants the same answer with and without the slash.
  skipTrailingSlashRedirect: true,
  serverExternalPackages: [
    '@electric-sql/pglite',
    'pglite-prisma-adapter',
    '@prisma/client',
    '@prisma/adapter-pg',
    '@prisma/schema-engine-wasm',
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
  outputFileTracingIncludes: { '/**': ['./prisma/**', './node_modules/@prisma/schema-engine-wasm/**'] },
  // `npm test` checks the types, once, with the compiler itself.
  // Next adds its folder to the file of this name: `scripts/prepare.mjs` writes one for a build with a path.
  typescript: {
    ignoreBuildErrors: true,
    tsconfigPath: folder === '.next' ? 'tsconfig.json' : `${folder}.tsconfig.json`,
  },
  // Where Next serves alone (`next start`, serverless hosts), the whole API goes through the same table as in our own server.
  rewrites: async () => ({
    // Below /.well-known only what the table has: other paths are files of public/, or pages that do not exist.
    beforeFiles: [
      '/beak',
      '/beak/:path*',
      '/.well-known/jwks.json',
      '/.well-known/status-list/:n',
      '/.well-known/tlog/checkpoint',
      '/.well-known/tlog/vkeys',
      '/.well-known/tlog/tile/:path+',
      '/healthz',
      '/readyz',
    ].map((source) => ({
      source,
      destination: `/beak/-${source}`,
    })),
    afterFiles: [],
    fallback: [],
  }),
  // The API sets its own; these are the pages'. Their Content Security Policy is in proxy.ts.
  headers: async () => [
    {
      source:
        '/((?!(?:beak|healthz|readyz)(?:/|$)|\\.well-known/(?:jwks\\.json|status-list/[^/]+|tlog/(?:checkpoint|vkeys|tile/.+))/?$).*)',
      headers: [
        { key: 'X-Content-Type-Options', value: 'nosniff' },
        // Other sites learn nothing. `no-referrer` would keep our own origin from our own forms as well (Fetch, "append a
        // request Origin header"), and a form sent without JavaScript would be refused as foreign.
        { key: 'Referrer-Policy', value: 'same-origin' },
        { key: 'X-Frame-Options', value: 'DENY' },
        { key: 'Cross-Origin-Opener-Policy', value: 'same-origin' },
      ],
    },
  ],
}

export default config
