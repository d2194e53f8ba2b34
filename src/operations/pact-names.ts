/** The names of the operations on pacts: most are called by tools of Pact, and so by nobody else. */
import type { LeftOut, NameRow } from './naming.ts'

const noTool: LeftOut = { leftOut: 'agents verify pacts, and read files themselves' }
const pactTools: LeftOut = { leftOut: 'tools of Pact call the broker' }
const pactFiles: LeftOut = { leftOut: 'check and verify read pacts where they are' }
const pactProtocol: LeftOut = { leftOut: 'verifiers of pacts call it' }

const files = { command: pactFiles, python: pactFiles } as const
const check = { ...files, library: { byHand: 'contracts.check' } } as const
const protocol = { command: pactProtocol, python: pactProtocol } as const

export const pactNames = {
  listContracts: ['contracts.list', noTool, '', files],
  retrieveContract: ['contracts.get', noTool, '', files],
  checkContract: ['contracts.check', 'verify_pact', '', check],
  listProviderStates: ['providerStates', noTool, '', protocol],
  changeProviderState: ['providerState', noTool, '', protocol],
  retrieveBroker: pactTools,
  listPublishedPacts: pactTools,
  retrievePact: pactTools,
  publishPact: pactTools,
  publishContracts: pactTools,
  deletePact: pactTools,
  publishVerificationResult: pactTools,
  retrieveVerificationResult: pactTools,
  retrieveProviderPacts: pactTools,
  selectProviderPacts: pactTools,
  listLatestPacts: pactTools,
  listLatestProviderPacts: pactTools,
  listLatestTaggedPacts: pactTools,
  retrievePacticipant: pactTools,
  retrievePacticipantVersion: pactTools,
  tagPacticipantVersion: pactTools,
  putPacticipantVersionOnBranch: pactTools,
  retrieveMatrix: pactTools,
} satisfies Record<string, NameRow | LeftOut>
