#!/usr/bin/env node
/** The command line as a process: does what was typed. */
import { runTyped } from './program.ts'
import { tolerateClosedOutput } from './terminal/standard-streams.ts'

tolerateClosedOutput()
void runTyped(process.argv.slice(2))
