import type { Metadata } from 'next'
import { withProblemPage } from '@/app/_shell/problem-page'
import { withBasePath } from '@/components/base-path'
import { Sentence } from '@/components/sentence'
import { CopyBlock } from '@/components/ui/copy'
import { Link } from '@/components/ui/link'
import { Facts, Notice, PageHead, Section } from '@/components/ui/surface'
import { config } from '@/lib/kernel/config'
import { m } from '@/lib/kernel/messages'
import {
  type ClientPackage,
  clientPackages,
  insecureReason,
  installCommands,
  mayInstall,
  type PackageKind,
} from '@/lib/kernel/service/client-packages'
import { readersLocale } from '@/lib/kernel/text/time-words'

export const generateMetadata = (): Metadata => ({
  title: m.clients_clients(),
  description: m.clients_page_description(),
})

// The packages and the address are known when the service runs, not when the pages are built.
export const dynamic = 'force-dynamic'

const words: Record<PackageKind, { title: string; lead: string }> = {
  typescript: {
    get title() {
      return m.clients_typescript_client()
    },
    get lead() {
      return m.clients_typescript_requirements()
    },
  },
  python: {
    get title() {
      return m.clients_python_client()
    },
    get lead() {
      return m.clients_python_requirements()
    },
  },
  dev: {
    get title() {
      return m.clients_test_service()
    },
    get lead() {
      return m.clients_test_service_intro()
    },
  },
}

/** Lists the packages that this service hands out, with the commands that install them. */
export default withProblemPage(async function ClientsPage() {
  const { version, files, missing } = (await clientPackages()).list
  return (
    <>
      <PageHead title={m.clients_clients()} lead={m.clients_page_intro({ version })} />
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
            <Notice title={m.clients_not_available_here()}>{reason}</Notice>
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
              name: m.clients_file(),
              value: (
                <a href={withBasePath(`/clients/${name}`)} download className="text-accent underline">
                  {name}
                </a>
              ),
            },
            {
              name: m.clients_size(),
              value: m.clients_kilobytes({ size: Math.ceil(size / 1000).toLocaleString(readersLocale()) }),
            },
          ]}
        />
        <CopyBlock label="SHA-256" text={sha256} copyLabel={m.clients_copy_digest()} />
      </div>
    </Section>
  )
}

/** What a digest on this page shows, and what it does not. */
function Comparison({ file }: { file: ClientPackage | undefined }) {
  return (
    <Section id="compare" title={m.clients_trust_package_title()} lead={m.clients_trust_package_why()}>
      <div className="grid max-w-3xl gap-4">
        <p>
          <Sentence
            of={m.clients_trust_package_advice}
            parts={{
              link: (children) => (
                <Link
                  href="/docs/sites/check-it-yourself#compare-the-package"
                  className="text-accent underline"
                >
                  {children}
                </Link>
              ),
            }}
          />
        </p>
        {file === undefined ? null : (
          <CopyBlock
            label={m.clients_digest_of_your_file()}
            text={`sha256sum ${file.name}`}
            copyLabel={m.clients_copy_command()}
          />
        )}
      </div>
    </Section>
  )
}
