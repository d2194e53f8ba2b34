// A double of the core's process: names itself in its result, and dies of a file that is called so.
process.on('disconnect', () => process.exit())
process.on('message', ({ pactUrls: [file] }) => {
  if (file === 'deadly.json') process.exit(3)
  const interactionResults = [{ description: `by ${process.pid}`, result: 'OK' }]
  process.send({
    result: JSON.stringify({ result: true, errors: [], pendingErrors: [], interactionResults }),
  })
})
