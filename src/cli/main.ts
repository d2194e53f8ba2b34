#!/usr/bin/env node
/** The command line as a process of its own: does what was typed. */
import { tolerateClosedOutput } from './output.ts'
import { runTyped } from './program.ts'

tolerateClosedOutput()
void runTyped(process.argv.slice(2))
