/** One file of functions for each document, with the address of its server from the environment. */
const client = (document: string, variable: string) => ({
  input: `${document}.json`,
  output: {
    target: `${document}.ts`,
    client: 'fetch' as const,
    baseUrl: { runtime: `process.env.${variable}` },
  },
})

export default { v1: client('v1', 'BASE_URL'), control: client('control', 'CONTROL_URL') }
