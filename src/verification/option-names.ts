/** Options that do not go together are refused by one rule, in the words of whoever gave them. */
export interface OptionNames {
  /** How the caller writes an option, such as `--provider-version`. */
  readonly name: (option: string) => string
  /** The error for options that are wrong. */
  readonly wrong: (message: string) => Error
}
