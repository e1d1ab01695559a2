import { Duck } from '@/components/duck'
import { PicturePage } from '@/components/picture-page'
import { Link } from '@/components/ui/link'

/** Answers for unknown handles and for those of people whom the viewer may not see, with status 404. */
export default function NoSuchPerson() {
  return (
    <PicturePage
      title="No such handle"
      lead="Nobody shows a page here. The handle may have a typo, its owner may have changed it, or its owner is not listed."
      picture={(size) => <Duck id="lost" size={size} />}
    >
      <p className="border-t border-line pt-4">
        <Link href="/directory" className="inline-flex min-h-11 items-center font-semibold underline">
          Search the directory
        </Link>
      </p>
    </PicturePage>
  )
}
