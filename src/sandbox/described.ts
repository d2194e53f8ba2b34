/** Checks the descriptions of stored documents. */
import * as z from 'zod'
import { type DocumentFolder, type StoredDocument, StoreError } from '../store/store.ts'

/** The documents of a folder with their descriptions. Throws `StoreError` if one is invalid. */
export function described<About>(
  folder: DocumentFolder,
  schema: z.ZodType<About>,
): (StoredDocument & { readonly about: About })[] {
  return folder.documents.map(({ about, place }) => {
    const checked = schema.safeParse(about)
    if (checked.success) return { about: checked.data, place }
    throw new StoreError(`A description is wrong: ${z.prettifyError(checked.error)}`)
  })
}
