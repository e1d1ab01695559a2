import { Certificate } from '@/components/certificate'
import { Duck } from '@/components/duck'
import { m } from '@/lib/kernel/messages'
import { tierWords } from '@/lib/kernel/text/tier-words'

const ladder = [
  { tier: 'T0', size: 34 },
  { tier: 'T1', size: 46 },
  { tier: 'T2', size: 60 },
  { tier: 'T3', size: 76 },
]

const specimen = 'DUCK-QXQH'

/** Explains what people confirm with a duck that grows up, and shows a certificate. */
export function GrowingUp({ baseUrl, issuedAt }: { baseUrl: string; issuedAt: string }) {
  return (
    <section
      aria-labelledby="trust"
      className="grid items-center gap-x-16 gap-y-12 lg:grid-cols-[minmax(0,1fr)_minmax(0,1.15fr)]"
    >
      <div>
        <h2 id="trust" className="text-2xl">
          {m.landing_trust_title()}
        </h2>
        <p className="mt-4 text-soft">{m.landing_trust_body()}</p>
        <ol className="mt-10 grid grid-cols-4 border-b border-pond">
          {ladder.map(({ tier, size }) => (
            <li key={tier} aria-hidden="true" className="flex items-end">
              <Duck id={specimen} size={size} bare className="-mb-2" />
            </li>
          ))}
        </ol>
        <ol className="mt-3 grid grid-cols-4 gap-x-1.5 text-xs sm:text-sm">
          {ladder.map(({ tier }) => (
            <li key={tier}>{tier === 'T0' ? m.landing_signed_up() : tierWords(tier)}</li>
          ))}
        </ol>
      </div>
      <figure className="-rotate-1 sm:[zoom:0.82]">
        <Certificate
          certId="CERT-SPECIMEN"
          ducklingId={specimen}
          name="Mallard"
          tier="T3"
          issuedAt={issuedAt}
          status="active"
          verifyUrl={`${baseUrl}/verify`}
          as="p"
        />
        <figcaption className="mt-3 text-center text-sm text-soft">
          {m.landing_an_example_certificate()}
        </figcaption>
      </figure>
    </section>
  )
}
