export const dynamic = 'force-dynamic'

export default function Landing() {
  return (
    <div>
      <h1 className="text-3xl">Permission, asked nicely.</h1>
      <p className="mt-5 max-w-2xl text-lg text-soft">
        Beak gives people an identity that earns trust, and their agents a way to ask before they act.
      </p>
    </div>
  )
}
