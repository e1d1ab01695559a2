/** Scans the files of the repository for secrets with secretlint: its recommended rules and our own. */
import { join } from 'node:path'
import { root } from '../prepare.mjs'
import { runCommand } from './run-command.mjs'

const config = {
  rules: [
    {
      id: '@secretlint/secretlint-rule-preset-recommend',
      rules: [
        {
          id: '@secretlint/secretlint-rule-basicauth',
          // URLs with a user name and a password, which webhooks and a setting must reject.
          options: {
            allows: [
              'http://me:secret@127.0.0.1',
              'https://user:pass@example.com',
              'https://user:pass@api.twilio.com',
            ],
          },
        },
        {
          id: '@secretlint/secretlint-rule-database-connection-string',
          // Addresses that DATABASE_URL must reject, because nobody encoded the password.
          options: {
            allows: ['postgres://beak:12#3@localhost/beak', 'postgres://beak:12?3@localhost/beak'],
          },
        },
      ],
    },
    {
      id: join(root, 'scripts', 'supply', 'secret-rules.mjs'),
      // Values that only look like secrets. Each stands here with its reason.
      options: {
        allows: [
          // .env.example: a sentence in the place of BEAK_SECRET, in a comment.
          'at-least-32-bytes-of-randomness',
          // The base64 of the words "some other secret", which is the secret of no webhook.
          'whsec_c29tZSBvdGhlciBzZWNyZXQ=',
          // The RSA key of a passkey that exists only in tests and test vectors.
          'DQSMD5l8t7usaIJIRWRjDTOVddR74Mos9Hx4oe2FN4vLR00oWfpZqSYmHBy226E9a9TdfmUniqG',
        ],
      },
    },
  ],
}

const program = join(root, 'node_modules', 'secretlint', 'bin', 'secretlint.js')

/** secretlint's profiler compares each mark with all earlier ones: 15 seconds for this repository. Nobody reads the marks. */
const withoutProfiler = ['--import', 'data:text/javascript,performance.mark=()=>undefined']

/**
 * Scans all files below the root that .gitignore does not name, new ones included.
 *
 * @param {string} [pattern] of the files, relative to the root
 * @returns {Promise<import('./checks.mjs').CheckResult>}
 */
export async function checkSecrets(pattern = '**/*') {
  const options = [`--secretlintrcJSON=${JSON.stringify(config)}`, '--secretlintignore=.gitignore']
  const { code, stdout, stderr } = await runCommand(process.execPath, [
    ...withoutProfiler,
    program,
    ...options,
    pattern,
  ])
  if (code === 0) return { failed: false, lines: ['No secret in the files of the repository.'] }
  const advice =
    'Remove these secrets, and revoke those that were ever real. A text that only looks like a secret needs a line in scripts/supply/secrets.mjs.'
  return { failed: true, lines: [stdout, stderr, advice] }
}
