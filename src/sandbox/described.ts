/** The descriptions of stored documents, checked before they are believed. */
import * as z from 'zod'
import { type DocumentFolder, type StoredDocument, StoreError } from '../store/store.ts'

/** Each document of a folder with its description. Throws `StoreError` where one is wrong. */
export function described<About>(
  folder: DocumentFolder,
  schema: z.ZodType<About>,
): { readonly about: About; readonly document: StoredDocument }[] {
  return folder.documents.map((document) => {
    const about = schema.safeParse(document.about)
    if (about.success) return { about: about.data, document }
    throw new StoreError(`A description is wrong: ${z.prettifyError(about.error)}`)
  })
}
