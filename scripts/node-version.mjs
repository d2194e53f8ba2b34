/** Ends a program on a Node that cannot read what is built for a newer one, and would only say that its syntax is wrong. */
const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(
    `subscription-sandbox needs Node 20.19 or later; this is ${process.version}.\n`,
  )
  process.exit(3)
}
