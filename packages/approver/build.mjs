/**
 * Builds the page of the approver: one file with its script and its styles, and a policy with their hashes. Building twice gives the same bytes,
 * wherever the sources are, so that anybody can compare a copy with a build of their own.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'

/** Where the build is, below the root. */
export const outputFolder = join('build', 'approver')

const hashOf = (text, encoding) => createHash('sha256').update(text).digest(encoding)

/** @param {string} root folder of the repository */
async function bundle(root, entry) {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: [entry],
    bundle: true,
    write: false,
    metafile: true,
    outdir: '.',
    format: 'iife',
    platform: 'browser',
    target: ['chrome123', 'firefox120', 'safari17.5'],
    minify: true,
    // Names of files would be paths of this machine, and characters outside of ASCII would depend on how the file is read.
    legalComments: 'none',
    charset: 'ascii',
    logLevel: 'warning',
  })
  const text = outputFiles[0]?.text.trim() ?? ''
  // The parser of HTML would end the element there, or change the line end. Then the hash of the policy would be wrong.
  if (/<\/(?:script|style)|<!--|\r/i.test(text))
    throw new Error(`${entry} has a text that HTML does not keep`)
  return { text, inputs: Object.keys(metafile.inputs) }
}

/**
 * Builds the page.
 *
 * @param {string} root folder of the repository
 * @returns {Promise<{ html: string, policy: string, digest: string, inputs: string[] }>} `digest`: SHA-256 of the file, in hex. `inputs`: the
 *   files that were read, below the root
 */
export async function buildApprover(root) {
  const script = await bundle(root, 'packages/approver/page/main.ts')
  const style = await bundle(root, 'packages/approver/style.css')
  const policy = [
    "default-src 'none'",
    `script-src 'sha256-${hashOf(script.text, 'base64')}'`,
    `style-src 'sha256-${hashOf(style.text, 'base64')}'`,
    "base-uri 'none'",
    "form-action 'none'",
    // Text can never become HTML.
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')
  const parts = { POLICY: policy, '/* STYLE */': style.text, '/* SCRIPT */': script.text }
  const page = 'packages/approver/index.html'
  const template = readFileSync(join(root, page), 'utf8')
  const html = template.replace(/POLICY|\/\* (?:STYLE|SCRIPT) \*\//g, (name) => parts[name])
  return { html, policy, digest: hashOf(html, 'hex'), inputs: [page, ...style.inputs, ...script.inputs] }
}

/**
 * Writes the page and, beside it, its digest in the form of `sha256sum`.
 *
 * @param {string} root folder of the repository
 * @param {{ html: string, digest: string }} page
 */
export function writeApprover(root, { html, digest }) {
  const folder = join(root, outputFolder)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'index.html'), html)
  writeFileSync(join(folder, 'index.html.sha256'), `${digest}  index.html\n`)
}

/**
 * Returns the line of the release notes that names the page.
 *
 * @param {{ digest: string }} page
 */
export function releaseNote({ digest }) {
  return `Approver page: \`sha256:${digest}\``
}
