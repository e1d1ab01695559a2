import type { Metadata } from 'next'
import { withProblemPage } from '@/app/_shell/problem-page'
import { withBasePath } from '@/components/base-path'
import { CopyBlock } from '@/components/ui/copy'
import { Link } from '@/components/ui/link'
import { Facts, Notice, PageHead, Section } from '@/components/ui/surface'
import {
  type ClientPackage,
  clientPackages,
  insecureReason,
  installCommands,
  mayInstall,
  type PackageKind,
} from '@/lib/kernel/client-packages'
import { config } from '@/lib/kernel/config'

export const metadata: Metadata = {
  title: 'Clients',
  description: 'Install the TypeScript client, the Python client and the test service from this service.',
}

// The packages and the address are known when the service runs, not when the pages are built.
export const dynamic = 'force-dynamic'

const words: Record<PackageKind, { title: string; lead: string }> = {
  typescript: {
    title: 'TypeScript client',
    lead: 'For Node.js 20.19 or newer and for browsers. It also has the command line.',
  },
  python: { title: 'Python client', lead: 'For Python 3.9 or newer, synchronous and asynchronous.' },
  dev: {
    title: 'Test service',
    lead: 'A service on your own computer with accounts that answer by themselves, for the tests of your program.',
  },
}

/** Lists the packages that this service hands out, with the commands that install them. */
export default withProblemPage(async function ClientsPage() {
  const { version, files, missing } = clientPackages().list
  return (
    <>
      <PageHead
        title="Clients"
        lead={`Packages for programs that use this service. All have its version, ${version}. They are not in a public registry: install them from here.`}
      />
      {mayInstall(config().baseUrl) ? null : (
        <div className="mb-10 max-w-2xl">
          <Notice tone="warn">{insecureReason}</Notice>
        </div>
      )}
      {files.map((file) => (
        <PackageSection key={file.name} file={file} />
      ))}
      {missing.map(({ kind, reason }) => (
        <Section key={kind} id={kind} title={words[kind].title} lead={words[kind].lead}>
          <div className="max-w-2xl">
            <Notice title="Not available here">{reason}</Notice>
          </div>
        </Section>
      ))}
      <Comparison file={files[0]} />
    </>
  )
})

function PackageSection({ file }: { file: ClientPackage }) {
  const { name, kind, size, sha256 } = file
  return (
    <Section id={kind} title={words[kind].title} lead={words[kind].lead}>
      <div className="grid max-w-3xl gap-4">
        {installCommands(file).map(({ label, command }) => (
          <CopyBlock key={label} label={label} text={command} />
        ))}
        <Facts
          facts={[
            {
              name: 'File',
              value: (
                <a href={withBasePath(`/clients/${name}`)} download className="text-accent underline">
                  {name}
                </a>
              ),
            },
            { name: 'Size', value: `${Math.ceil(size / 1000).toLocaleString('en')} kB` },
          ]}
        />
        <CopyBlock label="SHA-256" text={sha256} copyLabel="Copy digest" />
      </div>
    </Section>
  )
}

/** What a digest on this page shows, and what it does not. */
function Comparison({ file }: { file: ClientPackage | undefined }) {
  return (
    <Section
      id="compare"
      title="Before you check this service with a package"
      lead="A verifier that comes from the host it checks proves nothing: that host could hand out one that always says yes."
    >
      <div className="grid max-w-3xl gap-4">
        <p>
          Take the package from a release of Beak, or compare the digest of the file that you downloaded with
          the notes of the release. This service also enters the digests into its{' '}
          <Link href="/docs/sites/check-it-yourself#compare-the-package" className="text-accent underline">
            public log
          </Link>
          , where it can't change them later.
        </p>
        {file === undefined ? null : (
          <CopyBlock label="Digest of your file" text={`sha256sum ${file.name}`} copyLabel="Copy command" />
        )}
      </div>
    </Section>
  )
}
