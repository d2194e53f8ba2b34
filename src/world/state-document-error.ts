/** Why a state is invalid, wherever it comes from: `field` is the path, or the id of the invalid record. */
export class StateDocumentError extends Error {
  override readonly name = 'StateDocumentError'
  readonly field: string

  constructor(field: string, reason: string) {
    super(
      `${field} ${reason.replace(/^Invalid input: expected (.+?)(, received \w+)?$/, 'must be $1')}`,
    )
    this.field = field
  }
}
