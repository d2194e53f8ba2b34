/**
 * The active currencies of ISO 4217 and the decimals of their minor units, as of its amendment 180 (2026). Owns no
 * amounts. Only money that people pay with is listed, so these codes are absent:
 * - funds and units of account: BOV CHE CHW CLF COU MXV USN UYI UYW, and XAD XDR XSU XUA;
 * - metals and bond market units: XAG XAU XPD XPT, and XBA XBB XBC XBD;
 * - no currency, and tests: XXX XTS;
 * - withdrawn: ANG (now XCG), BGN (now EUR), CUC (now CUP), SLL (now SLE), ZWL (now ZWG).
 */

const codesByDecimals: Readonly<Record<0 | 2 | 3, string>> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF',
  2: `
    AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF
    CHF CNY COP CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD
    HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA
    MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN
    QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP
    TRY TTD TWD TZS UAH USD UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG`,
  3: 'BHD IQD JOD KWD LYD OMR TND',
}

/** Each currency, in alphabetical order, with the decimals of its minor unit. */
export const currencies: ReadonlyMap<string, number> = new Map(
  Object.entries(codesByDecimals)
    .flatMap(([decimals, codes]) =>
      codes
        .trim()
        .split(/\s+/)
        .map((code) => [code, Number(decimals)] as const),
    )
    .sort(([one], [other]) => (one < other ? -1 : 1)),
)

export function isCurrency(code: string): boolean {
  return currencies.has(code)
}

/** The decimals of a currency's minor unit; two for an unknown code. */
export function decimalsOf(code: string): number {
  return currencies.get(code) ?? 2
}
