'use client'

import { Mail, Monitor } from 'lucide'
import { buttonClass } from '@/components/ui/button-class'
import { CopyButton } from '@/components/ui/copy'
import { Icon } from '@/components/ui/icon'
import { m } from '@/lib/kernel/messages'

interface GoOnAtComputerProps {
  baseUrl: string
  agentName: string
}

/**
 * Leads from a phone to the computer on which the agent runs. The address holds no secret and names no agent: the computer signs in, and its
 * page makes a key of its own. So nothing that is worth stealing goes from one device to the other.
 */
export function GoOnAtComputer({ baseUrl, agentName }: GoOnAtComputerProps) {
  const address = `${baseUrl}/connect`
  const mail = new URLSearchParams({ subject: m.agents_mail_subject({ agentName }), body: address })
  return (
    <section
      aria-labelledby="computer"
      className="grid gap-3 rounded-card border border-edge bg-surface p-5 sm:hidden"
    >
      <h2 id="computer" className="flex items-center gap-2 text-lg">
        <Icon of={Monitor} size={20} className="shrink-0" />
        {m.agents_go_on_at_computer()}
      </h2>
      <p className="text-sm text-soft">{m.agents_open_on_computer()}</p>
      <p className="font-mono text-lg font-semibold wrap-anywhere">{address.replace(/^https?:\/\//, '')}</p>
      <p className="flex flex-wrap gap-3">
        {/* A program for mails reads no "+" as a space. */}
        <a className={buttonClass('plain')} href={`mailto:?${mail.toString().replaceAll('+', '%20')}`}>
          <Icon of={Mail} size={16} />
          {m.agents_send_address()}
        </a>
        <CopyButton text={address} label={m.agents_copy_address()} />
      </p>
    </section>
  )
}
