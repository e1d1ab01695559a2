/** For a proof that people should not need this service to believe: one command, and the page that says where the program comes from. */
import { Sentence } from '@/components/sentence'
import { config } from '@/lib/kernel/config'
import { m } from '@/lib/kernel/messages'
import { CopyBlock } from './ui/copy'
import { Link } from './ui/link'

const help = '/docs/sites/check-it-yourself'

const commands = {
  receipt: (file: string) => `beak receipt verify ${file} --require service`,
  log: (file: string) => `beak audit verify ${file}`,
  certificate: (id: string) => `beak cert verify ${id}`,
}

interface CheckItYourselfProps {
  kind: keyof typeof commands
  /** The downloaded file, or the id of the certificate. */
  subject: string
}

export function CheckItYourself({ kind, subject }: CheckItYourselfProps) {
  return (
    <div className="no-print grid max-w-2xl gap-3">
      <p className="text-sm text-soft">
        <Sentence
          of={m.common_yourself_lead}
          with={{}}
          parts={{
            link: (children) => (
              <Link href={help} className="text-ink underline">
                {children}
              </Link>
            ),
          }}
        />
      </p>
      <CopyBlock
        label={m.common_yourself_label()}
        text={`${commands[kind](subject)} --url ${config().baseUrl}`}
      />
    </div>
  )
}
